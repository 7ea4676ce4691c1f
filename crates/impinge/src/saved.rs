//! Format of saved models, for [`Model::save`] and [`Model::from_saved`]. It is a `Header` and the sections
//! `NAMES` in this order, all little-endian; `docs/fast-tree.md` describes nodes.
//!
//! Each byte counts: gaps and reserved bytes are 0, sections are where they must be, and a checksum guards
//! the header and each section. So bytes that were cut short or altered are refused. Checksums do not help
//! against malice: `wide/saved.rs` checks that walks end and stay in range, whatever the other bytes are.
use crate::{
    BuildOptions, Error, ErrorKind, Mesh, Model, Quality, Threads,
    array::{Array, Shared, share},
    geometry::Geometry,
    mesh::extent_of,
    refit::Cost,
    wide::{SavedFrame, WideTree},
};
use bytemuck::{Pod, Zeroable};
use std::{
    io::{self, Write},
    ops::Range,
};
use twox_hash::XxHash3_64;

/// The first byte is no letter and the last two a line end, so that a copy as text is detected.
const MAGIC: [u8; 16] = *b"\x89impinge model\r\n";
const BYTE_ORDER: u32 = 0x0102_0304;
/// The version of the header and the sections.
const FORMAT: u32 = 1;
/// The version of the meaning of nodes and leaves: one more when that changes.
const TREE: u32 = 1;
/// Sections begin at multiples of this: nodes are aligned that way.
const ALIGNMENT: usize = 64;
const NAMES: [&str; 5] = ["points", "triangles", "nodes", "leaves", "order"];
/// The bytes of an item of each section.
const SIZES: [usize; 5] = {
    let [nodes, words, order] = WideTree::SAVED_SIZES;
    [size_of::<[f64; 3]>(), size_of::<[u32; 3]>(), nodes, words, order]
};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Header {
    magic: [u8; 16],
    byte_order: u32,
    format: u32,
    tree: u32,
    quality: u8,
    compact: u8,
    leaf_size: u8,
    /// True if `cost` has a value.
    has_cost: u8,
    /// The length of all bytes.
    length: u64,
    sections: [Section; 5],
    extent: [[f64; 3]; 2],
    frame: SavedFrame,
    /// Sum and root, when the tree was built and now.
    cost: [[f64; 2]; 2],
    reserved: [u64; 3],
    /// The checksum of all bytes before it.
    checksum: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Section {
    start: u64,
    length: u64,
    checksum: u64,
}

const HEADER: usize = size_of::<Header>();
const _: () = assert!(HEADER == 384 && HEADER.is_multiple_of(ALIGNMENT));

fn checksum(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

impl Header {
    /// The checksum of itself, less the last field.
    fn own_checksum(&self) -> u64 {
        let bytes = bytemuck::bytes_of(self);
        checksum(&bytes[..HEADER - size_of::<u64>()])
    }
}

impl Model {
    /// Writes the mesh and its tree, so that [`Model::from_saved`] has both without a build. The same mesh
    /// and options give the same bytes on every machine. A model that was read writes the bytes that it was
    /// read from. A tree on demand ([`Quality::OnDemand`]) is built first. Not written are other structures
    /// that a model computes on first use, such as its [`Model::solid`], and [`BuildOptions::threads`].
    ///
    /// Some 65 bytes a triangle of a closed mesh (56 if compact), written in order; O(n), as the arrays are
    /// read twice.
    ///
    /// # Errors
    /// Errors of `out`. A model with another crate's [`hierarchy`](crate::hierarchy), and a big-endian
    /// machine: [`io::ErrorKind::Unsupported`]; nothing is written.
    ///
    /// ```
    /// use impinge::{Mesh, Model};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle);
    /// let mut bytes = Vec::new();
    /// model.save(&mut bytes)?;
    /// let again = Model::from_saved(bytes)?;
    /// assert_eq!(again.mesh(), model.mesh());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, mut out: impl Write) -> io::Result<()> {
        let unsupported = |text: String| Err(io::Error::new(io::ErrorKind::Unsupported, text));
        if cfg!(target_endian = "big") {
            return unsupported("models are not saved on big-endian machines".into());
        }
        let Some(tree) = self.wide() else {
            return unsupported(format!(
                "models with a tree of the volume {} are not saved, only those with the fast tree",
                self.volume()
            ));
        };
        let [nodes, words, order] = tree.saved_arrays();
        let points = bytemuck::must_cast_slice(self.mesh().points());
        let arrays = [points, bytemuck::must_cast_slice(self.mesh().triangles()), nodes, words, order];
        let mut end = HEADER;
        let sections = arrays.map(|bytes| {
            let start = end.next_multiple_of(ALIGNMENT);
            end = start + bytes.len();
            Section { start: start as u64, length: bytes.len() as u64, checksum: checksum(bytes) }
        });
        let options = self.options();
        let cost = self.geometry().saved_cost();
        let mut header = Header {
            magic: MAGIC,
            byte_order: BYTE_ORDER,
            format: FORMAT,
            tree: TREE,
            quality: match options.quality {
                Quality::High => 0,
                Quality::Fast => 1,
                Quality::OnDemand => 2,
            },
            compact: u8::from(options.compact),
            // 0 is the default, and more than 8 are 8.
            leaf_size: if options.leaf_size == 0 { 8 } else { options.leaf_size.min(8) as u8 },
            has_cost: u8::from(cost.is_some()),
            length: end as u64,
            sections,
            extent: *self.extent(),
            frame: tree.saved_frame(),
            cost: cost.map_or([[0.0; 2]; 2], |both| both.map(|cost| [cost.sum, cost.root])),
            reserved: [0; 3],
            checksum: 0,
        };
        header.checksum = header.own_checksum();
        out.write_all(bytemuck::bytes_of(&header))?;
        let mut end = HEADER;
        for bytes in arrays {
            let start = end.next_multiple_of(ALIGNMENT);
            out.write_all(&[0; ALIGNMENT][..start - end])?;
            out.write_all(bytes)?;
            end = start + bytes.len();
        }
        out.flush()
    }

    /// Reads a model that [`Model::save`] wrote. Nothing is built, and nothing is copied if the bytes begin
    /// at a multiple of 64, as those of a mapped file do: the model then reads its mesh and tree from them,
    /// and keeps their owner as long as it, a clone or its mesh needs them. Arrays that change later
    /// ([`Model::refit`]) are copied then. One thread does refits and rebuilds; see [`Model::with_threads`].
    ///
    /// All bytes are read once, for their checksums, and checked: the mesh as by [`Mesh::new`], and the tree
    /// for walks that stay in range and end. O(n), a twentieth of a build or less. Checksums find accidents,
    /// not malice: a manipulated file whose boxes are not those of its triangles gives wrong results, and a
    /// panic where boxes contradict each other. Before you query a model that somebody else saved, call
    /// [`Model::validate`]: O(n depth), two thirds of a build.
    ///
    /// # Errors
    /// Bytes that are no saved model, or one of another version of the format, or cut short or altered, or
    /// with values that no model has: [`ErrorKind::InvalidSavedModel`]. The text names the bytes. Also on a
    /// big-endian machine.
    ///
    /// An example is at [`Model::save`]; the crate `impinge-io` opens files.
    pub fn from_saved(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, Error> {
        read(&share(bytes)).map_err(|defect| ErrorKind::InvalidSavedModel { reason: defect.into() }.into())
    }
}

fn read(bytes: &Shared<u8>) -> Result<Model, String> {
    let header = read_header(bytes.get())?;
    let sections = read_sections(&header, bytes.get())?;
    let [points, triangles, nodes, words, order] =
        sections.map(|place| bytes.map_project_cloned(|bytes, _| &bytes[place]));
    let mesh = Mesh::of_arrays(Array::of_bytes(&points), Array::of_bytes(&triangles))
        .map_err(|error| error.to_string())?;
    let [lo, hi] = header.extent;
    let [least, most] = extent_of(&mesh);
    let holds =
        (0..3).all(|k| [lo[k], hi[k]].iter().all(|x| x.is_finite()) && lo[k] <= least[k] && most[k] <= hi[k]);
    if !holds {
        return Err("the box in the header is not that of the mesh".into());
    }
    let compact = header.compact == 1;
    let arrays = [&nodes, &words, &order];
    let tree = WideTree::from_saved(arrays, &header.frame, compact, mesh.len(), &header.extent)?;
    let quality = match header.quality {
        0 => Quality::High,
        1 => Quality::Fast,
        2 => Quality::OnDemand,
        other => return Err(format!("byte 28: {other} is no quality of trees")),
    };
    let leaf_size = header.leaf_size.into();
    let flags = [header.compact, header.has_cost].iter().all(|&x| x <= 1);
    let costs = header.cost.as_flattened();
    // By rounding a sum may be a little less than 0.
    let is_cost = costs.iter().all(|x| x.is_finite());
    let unused = header.has_cost == 1 || costs.iter().all(|x| x.to_bits() == 0);
    if !(flags && is_cost && unused && (1..=8).contains(&leaf_size)) {
        return Err("the header has options or costs that no model has".into());
    }
    let options = BuildOptions { quality, compact, leaf_size, threads: Threads::One };
    let cost = (header.has_cost == 1).then(|| header.cost.map(|[sum, root]| Cost { sum, root }));
    Ok(Model::of(Geometry::from_saved(mesh, header.extent, tree, options, cost)))
}

fn read_header(bytes: &[u8]) -> Result<Header, String> {
    if cfg!(target_endian = "big") {
        return Err("saved models are not read on big-endian machines".into());
    }
    if !bytes.starts_with(&MAGIC) {
        return Err("this is no saved model: it does not begin as one does".into());
    }
    let Some(first) = bytes.get(..HEADER) else {
        return Err(format!("the saved model is cut short: its header has {HEADER} bytes"));
    };
    let header: Header = bytemuck::pod_read_unaligned(first);
    if header.byte_order != BYTE_ORDER {
        return Err("bytes 16 to 19: the byte order is wrong".into());
    }
    if [header.format, header.tree] != [FORMAT, TREE] {
        return Err(format!(
            "the saved model has version {}.{} of the format, and this version of impinge reads {FORMAT}.\
             {TREE}: save it anew from its mesh",
            header.format, header.tree
        ));
    }
    if header.checksum != header.own_checksum() {
        return Err(format!("bytes 0 to {}: the header was altered", HEADER - 1));
    }
    let (is, said) = (bytes.len() as u64, header.length);
    if is < said {
        return Err(format!("the saved model is cut short: it has {is} of {said} bytes"));
    }
    if is > said {
        return Err(format!("the saved model has {} bytes behind its end at {said}", is - said));
    }
    if header.reserved != [0; 3] {
        return Err("the header's reserved bytes are not 0".into());
    }
    Ok(header)
}

/// Ranges of the sections, after a check of their places and checksums.
fn read_sections(header: &Header, bytes: &[u8]) -> Result<[Range<usize>; 5], String> {
    let mut places = [const { 0..0 }; 5];
    let mut before = HEADER;
    for (((place, section), name), size) in places.iter_mut().zip(&header.sections).zip(NAMES).zip(SIZES) {
        let start = before.next_multiple_of(ALIGNMENT);
        // No more than the bytes that there are, so this does not overflow.
        let room = bytes.len().saturating_sub(start) as u64;
        let fits = section.start == start as u64 && section.length <= room;
        if !fits || !section.length.is_multiple_of(size as u64) {
            return Err(format!("the header places the {name} where they cannot be"));
        }
        let end = start + section.length as usize;
        if bytes[before..start].iter().any(|&x| x != 0) {
            return Err(format!("bytes {before} to {}: the gap before the {name} was altered", start - 1));
        }
        if checksum(&bytes[start..end]) != section.checksum {
            return Err(format!("bytes {start} to {}: the {name} were altered", end - 1));
        }
        *place = start..end;
        before = end;
    }
    if before != bytes.len() {
        return Err("the header leaves bytes at the end without a section".into());
    }
    Ok(places)
}
