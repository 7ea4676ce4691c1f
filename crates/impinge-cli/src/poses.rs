//! Poses from the command line and from files: text, or `.npy` (see [`crate::npy`]).
use crate::npy;
use anyhow::{Context, anyhow, bail};
use impinge::{ErrorKind, Pose};
use impinge_check::files;
use std::path::Path;

/// The poses of A, if the file contains one, and of B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) a: Option<Pose>,
    pub(crate) b: Pose,
}

/// The maps that are accepted as poses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maps {
    Rigid,
    /// As `Rigid`; the error for others names `--affine`.
    RigidByDefault,
    /// Maps that scale, shear or mirror, too.
    Affine,
}

/// Twelve numbers on the command line.
pub(crate) fn parse(text: &str, maps: Maps) -> anyhow::Result<Pose> {
    let numbers = numbers(text)?;
    if numbers.len() != 12 {
        bail!("a pose is 12 numbers, 3 rows of [R | t], but there are {}", numbers.len());
    }
    pose(&numbers, maps)
}

/// The frames of a file, at least one. A pipe may deliver up to `most` bytes.
pub(crate) fn read(path: &Path, maps: Maps, most: u64) -> anyhow::Result<Vec<Frame>> {
    let bytes = files::any(path, most).with_context(|| path.display().to_string())?;
    let frames = frames(path, &bytes, maps, Quote::Words).with_context(|| path.display().to_string())?;
    if frames.is_empty() {
        bail!("{}: there is no frame in it", path.display());
    }
    Ok(frames)
}

/// The frames of a regular file of at most so many bytes, at least one. Poses are rigid, and errors do not
/// repeat what the file has.
pub(crate) fn read_unquoted(path: &Path, most: u64) -> anyhow::Result<Vec<Frame>> {
    let file = files::open_regular(path)?;
    let size = file.metadata()?.len();
    if size > most {
        bail!("its file has {size} bytes; at most {most} are read");
    }
    drop(file);
    let frames = frames(path, &files::regular(path)?, Maps::Rigid, Quote::Nothing)?;
    if frames.is_empty() {
        bail!("there is no frame in it");
    }
    Ok(frames)
}

/// The parts of a text that an error may repeat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quote {
    Words,
    Nothing,
}

fn frames(path: &Path, bytes: &[u8], maps: Maps, quote: Quote) -> anyhow::Result<Vec<Frame>> {
    let has_name = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"));
    match (bytes.starts_with(npy::MAGIC) || has_name, quote) {
        (false, _) => from_text(bytes, maps, quote),
        (true, Quote::Words) => from_npy(bytes, maps),
        // Errors of the header repeat its words.
        (true, Quote::Nothing) => match npy::Array::parse(bytes) {
            Ok(_) => from_npy(bytes, maps),
            Err(_) => bail!("it is no .npy file of 64-bit floating-point numbers"),
        },
    }
}

/// A frame a line; `#` begins a comment.
fn from_text(bytes: &[u8], maps: Maps, quote: Quote) -> anyhow::Result<Vec<Frame>> {
    let mut frames = Vec::new();
    let mut usual = None;
    for (n, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let place = || format!("line {}", n + 1);
        let line = std::str::from_utf8(line).context("not text").with_context(place)?;
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let numbers = match numbers(line) {
            Err(_) if quote == Quote::Nothing => bail!("{}: not numbers", place()),
            numbers => numbers.with_context(place)?,
        };
        let usual = *usual.get_or_insert(numbers.len());
        if numbers.len() != usual {
            bail!("{}: {} numbers, where the first frame has {usual}", place(), numbers.len());
        }
        frames.push(frame(&numbers, maps).with_context(place)?);
    }
    Ok(frames)
}

fn from_npy(bytes: &[u8], maps: Maps) -> anyhow::Result<Vec<Frame>> {
    let array = npy::Array::parse(bytes)?;
    let (width, is_square) = match *array.shape() {
        [_, 12] | [_, 3, 4] => (12, false),
        [_, 24] | [_, 2, 3, 4] => (24, false),
        [_, 4, 4] => (16, true),
        [_, 2, 4, 4] => (32, true),
        ref other => bail!(
            "its shape is {other:?}; poses are (N, 12), (N, 24), (N, 3, 4), (N, 2, 3, 4), (N, 4, 4) or \
             (N, 2, 4, 4)"
        ),
    };
    let numbers = array.values_in_c_order();
    let of = |numbers: &[f64]| {
        if is_square { frame(&without_last_rows(numbers)?, maps) } else { frame(numbers, maps) }
    };
    let frames = numbers.chunks_exact(width).enumerate();
    frames.map(|(i, numbers)| of(numbers).with_context(|| format!("frame {i}"))).collect()
}

/// Matrices of 4 by 4 numbers, each without its last row, which must be that of a pose.
fn without_last_rows(numbers: &[f64]) -> anyhow::Result<Vec<f64>> {
    let mut rows = Vec::with_capacity(24);
    for matrix in numbers.as_chunks::<16>().0 {
        let (pose, last) = matrix.split_at(12);
        if last != [0.0, 0.0, 0.0, 1.0] {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| last[k]);
            bail!("the last row of a matrix is {a} {b} {c} {d}, not 0 0 0 1");
        }
        rows.extend(pose);
    }
    Ok(rows)
}

/// 12 numbers are B's pose, 24 are A's and B's.
fn frame(numbers: &[f64], maps: Maps) -> anyhow::Result<Frame> {
    match numbers.len() {
        12 => Ok(Frame { a: None, b: pose(numbers, maps)? }),
        24 => Ok(Frame {
            a: Some(pose(&numbers[..12], maps).context("the pose of A")?),
            b: pose(&numbers[12..], maps).context("the pose of B")?,
        }),
        other => bail!("{other} numbers; a frame has 12, the pose of B, or 24, those of A and of B"),
    }
}

/// Three rows of [R | t].
fn pose(numbers: &[f64], maps: Maps) -> anyhow::Result<Pose> {
    let rows = [0, 4, 8].map(|at| [numbers[at], numbers[at + 1], numbers[at + 2]]);
    let translation = [3, 7, 11].map(|at| numbers[at]);
    match maps {
        Maps::Affine => Ok(Pose::affine(rows, translation)?),
        Maps::Rigid => Ok(Pose::rigid(rows, translation)?),
        Maps::RigidByDefault => Pose::rigid(rows, translation).map_err(|error| {
            let hint = match error.kind() {
                ErrorKind::NotRigid { .. } | ErrorKind::Mirror => "; --affine takes it as it is",
                _ => "",
            };
            anyhow!("{error}{hint}")
        }),
    }
}

/// A point: three finite numbers.
pub(crate) fn point(text: &str) -> anyhow::Result<[f64; 3]> {
    finite(exactly(text)?)
}

/// The point, if all its coordinates are finite.
pub(crate) fn finite(point: [f64; 3]) -> anyhow::Result<[f64; 3]> {
    if !point.iter().all(|x| x.is_finite()) {
        bail!("a coordinate of a point is not finite");
    }
    Ok(point)
}

/// Parses exactly N numbers with blanks or commas between them.
pub(crate) fn exactly<const N: usize>(text: &str) -> anyhow::Result<[f64; N]> {
    let numbers = numbers(text)?;
    let count = numbers.len();
    numbers.try_into().map_err(|_| anyhow!("'{}' is {count} numbers, not {N}", files::cut(text)))
}

/// Numbers with blanks or single commas between them.
pub(crate) fn numbers(text: &str) -> anyhow::Result<Vec<f64>> {
    let mut numbers = Vec::new();
    for between_commas in text.split(',') {
        let before = numbers.len();
        for word in between_commas.split_whitespace() {
            numbers.push(word.parse().map_err(|_| anyhow!("'{}' is not a number", files::cut(word)))?);
        }
        if numbers.len() == before {
            bail!("a number is missing beside a comma, after {before} numbers");
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::{Frame, Maps, Quote, from_npy, from_text, numbers, parse};
    use impinge::Pose;

    const IDENTITY: &str = "1 0 0 0 0 1 0 0 0 0 1 0";

    fn error(text: &str, maps: Maps) -> String {
        format!("{:#}", from_text(text.as_bytes(), maps, Quote::Words).unwrap_err())
    }

    #[test]
    fn blanks_and_commas_are_alike() {
        for text in ["1 2\t-3e1", "1,2,-3e1", " 1 , 2 -3e1 "] {
            assert_eq!(numbers(text).unwrap(), [1.0, 2.0, -30.0]);
        }
        for text in ["1,,2", "1,", ",1", "", "1 x"] {
            assert!(numbers(text).is_err(), "{text}");
        }
    }

    #[test]
    fn text_of_12_and_of_24() {
        let still = Pose::IDENTITY;
        let text = format!("# motion\r\n\r\n{IDENTITY} # at rest\r\n  {IDENTITY}\n");
        assert_eq!(
            from_text(text.as_bytes(), Maps::Rigid, Quote::Words).unwrap(),
            [Frame { a: None, b: still }; 2]
        );
        let text = format!("{IDENTITY} {IDENTITY}");
        assert_eq!(
            from_text(text.as_bytes(), Maps::Rigid, Quote::Words).unwrap(),
            [Frame { a: Some(still), b: still }]
        );
    }

    #[test]
    fn the_translation_is_the_fourth_column() {
        let pose = parse("0,-1,0,5, 1,0,0,6, 0,0,1,7", Maps::Rigid).unwrap();
        assert_eq!(pose.rows(), &[[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
        assert_eq!(pose.translation(), &[5.0, 6.0, 7.0]);
    }

    #[test]
    fn errors_name_the_line() {
        let count = error(&format!("#\n{IDENTITY} 7"), Maps::Rigid);
        assert_eq!(count, "line 2: 13 numbers; a frame has 12, the pose of B, or 24, those of A and of B");
        let mixed = error(&format!("{IDENTITY}\n{IDENTITY} {IDENTITY}"), Maps::Rigid);
        assert_eq!(mixed, "line 2: 24 numbers, where the first frame has 12");
        assert_eq!(error("1 0 O", Maps::Rigid), "line 1: 'O' is not a number");
        for number in ["nan", "-inf", "1e999"] {
            let text = IDENTITY.replacen('1', number, 1);
            for maps in [Maps::Rigid, Maps::Affine] {
                assert!(error(&text, maps).starts_with("line 1: the pose's entry in row 0, column 0 is "));
            }
        }
        assert!(
            format!("{:#}", from_text(b"\n\xff", Maps::Rigid, Quote::Words).unwrap_err())
                .starts_with("line 2: not text")
        );
    }

    /// A file of NumPy.
    fn npy(shape: &str, values: &[f64]) -> Vec<u8> {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        bytes
    }

    #[test]
    fn matrices_of_four_rows_are_those_of_three() {
        let a = [0., -1., 0., 5., 1., 0., 0., 6., 0., 0., 1., 7., 0., 0., 0., 1.];
        let b = [1., 0., 0., 2., 0., 1., 0., 3., 0., 0., 1., 4., 0., 0., 0., 1.];
        let pose =
            |matrix: &[f64]| parse(&format!("{:?}", &matrix[..12]).replace(['[', ']'], ""), Maps::Rigid);
        let [pose_a, pose_b] = [pose(&a).unwrap(), pose(&b).unwrap()];
        let frames = from_npy(&npy("(2, 4, 4)", &[a, b].concat()), Maps::Rigid).unwrap();
        assert_eq!(frames, [pose_a, pose_b].map(|b| Frame { a: None, b }));
        let frames = from_npy(&npy("(1, 2, 4, 4)", &[a, b].concat()), Maps::Rigid).unwrap();
        assert_eq!(frames, [Frame { a: Some(pose_a), b: pose_b }]);
        let mut wrong = [a, b].concat();
        wrong[30] = 0.5;
        let error = from_npy(&npy("(2, 4, 4)", &wrong), Maps::Rigid).unwrap_err();
        assert_eq!(format!("{error:#}"), "frame 1: the last row of a matrix is 0 0 0.5 1, not 0 0 0 1");
        let error = from_npy(&npy("(2, 4, 3)", &wrong[..24]), Maps::Rigid).unwrap_err();
        assert!(error.to_string().contains("(N, 4, 4)"), "{error}");
    }

    #[test]
    fn affine_maps_only_when_asked_for() {
        let text = "2 0 0 0 0 1 0 0 0 0 1 0";
        let hint = "; --affine takes it as it is";
        assert_eq!(error(text, Maps::RigidByDefault), format!("{}{hint}", error(text, Maps::Rigid)));
        assert!(!from_text(text.as_bytes(), Maps::Affine, Quote::Words).unwrap()[0].b.is_rigid());
        let both = error(&format!("{IDENTITY} {text}"), Maps::Rigid);
        assert!(both.starts_with("line 1: the pose of B: "), "{both}");
    }
}
