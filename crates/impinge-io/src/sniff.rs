//! Format of a file by its content: signatures, and guesses for files whose name does not help.
use crate::format::Format;

/// Bytes of the header of a binary STL: 80 of any content, then the count.
const STL_HEADER: u64 = 84;
/// Bytes of a triangle of a binary STL.
const STL_RECORD: u64 = 50;

impl Format {
    /// The format of the content, where a signature shows it. OBJ, STL as text and `.gltf` have none.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        signature(bytes, bytes.len() as u64)
    }
}

/// Format of a file by its signature, from its first kilobyte or more and its size.
pub(crate) fn signature(bytes: &[u8], size: u64) -> Option<Format> {
    if has_binary_stl_size(bytes, size) {
        Some(Format::Stl)
    } else if bytes.starts_with(b"glTF") {
        Some(Format::Gltf)
    } else if is_bundle(bytes) {
        Some(Format::Bundle)
    } else if is_zip(bytes) {
        Some(Format::ThreeMf)
    } else if bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r") {
        Some(Format::Ply)
    } else if is_collada(bytes) {
        Some(Format::Dae)
    } else if is_off(&bytes[..bytes.len().min(1024)]) {
        Some(Format::Off)
    } else {
        None
    }
}

/// The probable format of a whole text without a signature. Every test requires more than the first word. The
/// reader of the format then refuses content that breaks its rules.
pub(crate) fn guess(text: &[u8]) -> Option<Format> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    if is_ascii_stl(text) {
        Some(Format::Stl)
    } else if is_gltf(text) {
        Some(Format::Gltf)
    } else if is_obj(text) {
        Some(Format::Obj)
    } else {
        None
    }
}

/// True if the size of a file is exactly that of a binary STL with the count in `start`, the file's first
/// bytes.
pub(crate) fn has_binary_stl_size(start: &[u8], size: u64) -> bool {
    let count = start.get(80..).and_then(|rest| rest.first_chunk());
    count.is_some_and(|count| STL_HEADER + u64::from(u32::from_le_bytes(*count)) * STL_RECORD == size)
}

/// True if a file is a ZIP package. 3MF files are packages, and documents of office programs, too.
pub(crate) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// True if the first file of a ZIP package is the document of a bundle.
fn is_bundle(bytes: &[u8]) -> bool {
    let name = b"assembly.json";
    let length = bytes.get(26..28).is_some_and(|length| length == [name.len() as u8, 0]);
    is_zip(bytes) && length && bytes.get(30..).is_some_and(|rest| rest.starts_with(name))
}

/// True if a ZIP package contains a file that every 3MF has and no bundle has.
pub(crate) fn has_relationships(bytes: &[u8]) -> bool {
    let name = b"_rels/.rels";
    bytes.windows(name.len()).any(|window| window == name)
}

/// True if the first element of an XML text is that of COLLADA, with or without a prefix. Comments and
/// declarations may precede it.
fn is_collada(text: &[u8]) -> bool {
    let mut rest = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [b'<', b'?', ..] => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', name @ ..] => {
                let length = name.iter().take_while(|b| !b.is_ascii_whitespace() && **b != b'>').count();
                return matches!(
                    name[..length].rsplit(|b| *b == b':').next(),
                    Some(b"COLLADA" | b"COLLADA/")
                );
            }
            _ => return false,
        };
        let Some(at) = rest.windows(end.len()).position(|window| window == end) else { return false };
        rest = &rest[at + end.len()..];
    }
}

/// True if the first word is the keyword of OFF, possibly with the prefixes ST, C and N.
fn is_off(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let mut words = lines(head).filter_map(|line| {
        let line = line.split(|&b| b == b'#').next()?;
        words(line).next()
    });
    let Some(mut prefix) = words.next().and_then(|word| word.strip_suffix(b"OFF")) else { return false };
    for part in [&b"ST"[..], b"C", b"N"] {
        prefix = prefix.strip_prefix(part).unwrap_or(prefix);
    }
    prefix.is_empty()
}

/// True if the first line is `solid ...` and the next one starts a facet, or ends the solid.
fn is_ascii_stl(text: &[u8]) -> bool {
    let mut first_words = lines(text).filter_map(|line| words(line).next());
    let mut next_is = |keywords: &[&[u8]]| {
        first_words.next().is_some_and(|word| keywords.iter().any(|k| word.eq_ignore_ascii_case(k)))
    };
    next_is(&[b"solid"]) && next_is(&[b"facet", b"endsolid"])
}

/// True if a text starts like an object of JSON and contains the name of a member that every glTF has.
fn is_gltf(text: &[u8]) -> bool {
    let asset = b"\"asset\"";
    text.trim_ascii_start().starts_with(b"{") && text.windows(asset.len()).any(|window| window == asset)
}

/// Statements that start a line of OBJ: the geometry, the groups, the materials, and the curves.
const OBJ: [&str; 34] = [
    "v",
    "vt",
    "vn",
    "vp",
    "f",
    "l",
    "p",
    "o",
    "g",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "lod",
    "cstype",
    "deg",
    "bmat",
    "step",
    "curv",
    "curv2",
    "surf",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "bevel",
    "c_interp",
    "d_interp",
    "shadow_obj",
];

/// True if all lines of the first 64 KiB start with a statement of OBJ, and one is a vertex of three numbers.
fn is_obj(text: &[u8]) -> bool {
    let head = match text.get(..1 << 16) {
        // The last line may be cut.
        Some(head) => &head[..head.iter().rposition(|b| *b == b'\n').unwrap_or(head.len())],
        None => text,
    };
    let (mut vertices, mut continued) = (0, false);
    for line in lines(head) {
        let continues = std::mem::replace(&mut continued, line.ends_with(b"\\"));
        let mut words = words(line);
        let Some(word) = words.next().filter(|word| !continues && word[0] != b'#') else { continue };
        if !OBJ.iter().any(|statement| statement.as_bytes() == word) {
            return false;
        }
        if word == b"v" {
            let is_number = |word: &[u8]| str::from_utf8(word).is_ok_and(|w| w.parse::<f64>().is_ok());
            if words.take_while(|word| is_number(word)).count() < 3 {
                return false;
            }
            vertices += 1;
        }
    }
    vertices > 0
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|b| matches!(b, b'\n' | b'\r'))
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|b| matches!(b, b' ' | b'\t' | 0x0B | 0x0C)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::is_bundle;

    /// A ZIP package that ends within the header of its first file.
    #[test]
    fn a_cut_package_is_no_bundle() {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.resize(26, 0);
        bytes.extend([13, 0]);
        while bytes.len() < 60 {
            assert!(!is_bundle(&bytes));
            bytes.push(b'a');
        }
    }
}
