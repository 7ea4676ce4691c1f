//! Search for boxes that meet, if they do not all fit in memory. They are stored in files, one for each tile
//! of space.
//!
//! Tiles are half-open boxes that divide space. A box is in the file of every tile that it reaches into. A
//! pair of boxes that meet belongs to the tile that contains the point with, along each axis, the greater of
//! their least coordinates (the reference point method). That is exactly one tile. As both boxes contain the
//! point, both are in its file.
use crate::{
    files,
    question::pair_limit::PairLimit,
    question::{pairs::Pairs, reach::grown},
};
use anyhow::{Context, bail};
use impinge::{broad_phase::Aabb, distance::Margin};
use std::{
    fs::{self, File},
    io::{self, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// Bytes of a box in memory and in a file: six f64 and the number of its part.
pub(crate) const BOX: usize = 52;

struct TileWriter {
    out: BufWriter<File>,
    path: PathBuf,
    count: u64,
}

impl TileWriter {
    fn new(path: PathBuf) -> anyhow::Result<Self> {
        let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { out: BufWriter::new(file), path, count: 0 })
    }
    fn add(&mut self, part: u32, extent: &Aabb) -> io::Result<()> {
        let mut record = [0; BOX];
        let (number, corners) = record.split_at_mut(4);
        number.copy_from_slice(&part.to_le_bytes());
        for (bytes, x) in corners.as_chunks_mut::<8>().0.iter_mut().zip(extent.lo.iter().chain(&extent.hi)) {
            *bytes = x.to_le_bytes();
        }
        self.count += 1;
        self.out.write_all(&record)
    }
    fn finish(mut self) -> io::Result<Tile> {
        self.out.flush()?;
        Ok(Tile { path: self.path, count: self.count, lo: [f64::NEG_INFINITY; 3], hi: [f64::INFINITY; 3] })
    }
}

/// The boxes of an assembly, in memory if they fit.
pub(crate) struct Boxes {
    /// The boxes in memory: all, or the last ones.
    extents: Vec<Aabb>,
    /// The largest number of boxes in memory.
    most: usize,
    count: u32,
    /// The file with the other boxes.
    spilled: Option<(TempDir, TileWriter)>,
    folder: PathBuf,
}

impl Boxes {
    /// Starts without boxes. If they take more than `memory` bytes, files are made in `folder`, and removed
    /// again.
    pub(crate) fn new(folder: &Path, memory: u64) -> Self {
        let most = usize::try_from(memory / BOX as u64).unwrap_or(usize::MAX).max(1);
        Self { extents: Vec::new(), most, count: 0, spilled: None, folder: folder.to_owned() }
    }
    /// Adds the boxes of the next parts.
    pub(crate) fn extend(&mut self, extents: Vec<Aabb>) -> anyhow::Result<()> {
        self.count += extents.len() as u32;
        self.extents.extend(extents);
        if self.extents.len() > self.most { self.spill() } else { Ok(()) }
    }
    fn spill(&mut self) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", self.folder.display());
        if self.spilled.is_none() {
            let folder = tempfile::Builder::new().prefix(".boxes-").tempdir_in(&self.folder);
            let folder = folder.with_context(context)?;
            let writer = TileWriter::new(folder.path().join("all"))?;
            self.spilled = Some((folder, writer));
        }
        let Some((_, writer)) = &mut self.spilled else { return Ok(()) };
        let first = self.count - self.extents.len() as u32;
        for (part, extent) in (first..).zip(self.extents.drain(..)).filter(|(_, extent)| !extent.is_empty()) {
            writer.add(part, &extent).with_context(context)?;
        }
        Ok(())
    }

    /// Grows the box of each part by its reach ([`reach::grown`]).
    pub(crate) fn grow(&mut self, reach: impl Fn(u32) -> Margin) -> anyhow::Result<()> {
        let first = self.count - self.extents.len() as u32;
        for (part, extent) in (first..).zip(&mut self.extents) {
            *extent = grown(*extent, reach(part));
        }
        let Some((folder, writer)) = self.spilled.take() else { return Ok(()) };
        let context = || format!("cannot write {}", self.folder.display());
        let whole = writer.finish().with_context(context)?;
        let mut writer = TileWriter::new(folder.path().join("grown"))?;
        let each = whole.each(|part, extent| writer.add(part, &grown(extent, reach(part))));
        each.with_context(context)?;
        whole.remove()?;
        self.spilled = Some((folder, writer));
        Ok(())
    }

    /// The pairs of `subject` whose boxes meet, as the values of `make` for each pair and the least corner of
    /// the boxes' intersection.
    pub(crate) fn pairs<T>(
        mut self,
        subject: &Pairs,
        limit: PairLimit,
        make: impl Fn([u32; 2], [f64; 3]) -> T,
    ) -> anyhow::Result<Vec<T>> {
        if self.spilled.is_none() {
            let mut pairs = limit.boxes_that_meet(&self.extents)?;
            pairs.retain(|&pair| subject.asks(pair));
            let corner = |[a, b]: [u32; 2]| corner([a, b].map(|part| &self.extents[part as usize]));
            return Ok(pairs.into_iter().map(|pair| make(pair, corner(pair))).collect());
        }
        self.spill()?;
        self.extents = Vec::new();
        let Some((folder, writer)) = self.spilled else { return Ok(Vec::new()) };
        let whole = writer.finish().with_context(|| format!("cannot write {}", folder.path().display()))?;
        let (mut tiles, mut found, mut made) = (vec![whole], Vec::new(), 0_u64);
        while let Some(tile) = tiles.pop() {
            if tile.count > self.most as u64 {
                made += 2;
                tiles.extend(tile.divide(folder.path(), made)?);
                continue;
            }
            let (numbers, extents) = tile.read()?;
            // `subject` needs the parts' own numbers.
            for pair in limit.boxes_that_meet(&extents)? {
                let corner = corner(pair.map(|i| &extents[i as usize]));
                let pair = pair.map(|i| numbers[i as usize]);
                if tile.contains(corner) && subject.asks(pair) {
                    found.push(make(pair, corner));
                }
            }
            // Far more pairs than allowed would exhaust memory before they are counted.
            PairLimit { most: limit.most.saturating_mul(2), ..limit }.allows(found.len())?;
            tile.remove()?;
        }
        Ok(found)
    }
}

/// The least corner of the intersection of two boxes that meet.
fn corner([a, b]: [&Aabb; 2]) -> [f64; 3] {
    [0, 1, 2].map(|k| a.lo[k].max(b.lo[k]))
}

/// A file with all boxes that reach into a half-open box.
struct Tile {
    path: PathBuf,
    count: u64,
    lo: [f64; 3],
    hi: [f64; 3],
}

/// Number of boxes that determine where to divide a tile.
const SAMPLES: u64 = 2048;

impl Tile {
    /// True if the tile contains a point, whose coordinates may be -infinity, but not infinity.
    fn contains(&self, point: [f64; 3]) -> bool {
        (0..3).all(|k| self.lo[k] <= point[k] && point[k] < self.hi[k])
    }

    fn each(&self, mut look: impl FnMut(u32, Aabb) -> io::Result<()>) -> io::Result<()> {
        let mut file = BufReader::with_capacity(1 << 16, File::open(&self.path)?);
        let mut record = [0; BOX];
        for _ in 0..self.count {
            file.read_exact(&mut record)?;
            let x = |i: usize| f64::from_le_bytes(std::array::from_fn(|k| record[4 + 8 * i + k]));
            let part = u32::from_le_bytes(std::array::from_fn(|k| record[k]));
            look(part, Aabb { lo: [x(0), x(1), x(2)], hi: [x(3), x(4), x(5)] })?;
        }
        Ok(())
    }

    fn read(&self) -> anyhow::Result<(Vec<u32>, Vec<Aabb>)> {
        let (mut numbers, mut extents) = (Vec::new(), Vec::new());
        let read = self.each(|part, extent| {
            numbers.push(part);
            extents.push(extent);
            Ok(())
        });
        read.map_err(|error| files::read_error(&self.path, error))?;
        Ok((numbers, extents))
    }

    fn remove(&self) -> anyhow::Result<()> {
        fs::remove_file(&self.path).with_context(|| format!("cannot remove {}", self.path.display()))
    }

    /// Divides this tile into two, in files with this number and the next one.
    fn divide(self, folder: &Path, number: u64) -> anyhow::Result<[Self; 2]> {
        let mut samples = Vec::new();
        let (mut i, step) = (0_u64, self.count.div_ceil(SAMPLES));
        let read = self.each(|_, extent| {
            if i.is_multiple_of(step) {
                samples.push(extent);
            }
            i += 1;
            Ok(())
        });
        read.map_err(|error| files::read_error(&self.path, error))?;
        let (axis, middle, larger) = best(&samples);
        // Boxes that no plane divides make a number of pairs that grows with the square of their number.
        if larger * 10 > samples.len() * 9 {
            bail!(
                "{} boxes reach into each other: box memory must hold that many, of {BOX} bytes",
                self.count
            );
        }
        let [mut below, mut above] = [
            TileWriter::new(folder.join(number.to_string()))?,
            TileWriter::new(folder.join((number + 1).to_string()))?,
        ];
        let divide = self.each(|part, extent| {
            if extent.lo[axis] < middle {
                below.add(part, &extent)?;
            }
            if extent.hi[axis] >= middle {
                above.add(part, &extent)?;
            }
            Ok(())
        });
        let ended = divide.and_then(|()| Ok([below.finish()?, above.finish()?]));
        let [mut below, mut above] = ended.with_context(|| format!("cannot write {}", folder.display()))?;
        self.remove()?;
        ([below.lo, below.hi], [above.lo, above.hi]) = ([self.lo, self.hi], [self.lo, self.hi]);
        (below.hi[axis], above.lo[axis]) = (middle, middle);
        Ok([below, above])
    }
}

/// The axis and the coordinate of the division whose larger part has the fewest boxes, and their number.
fn best(samples: &[Aabb]) -> (usize, f64, usize) {
    let at = |axis: usize| {
        let mut least: Vec<f64> = samples.iter().map(|extent| extent.lo[axis]).collect();
        let place = least.len() / 2;
        let middle = *least.select_nth_unstable_by(place, f64::total_cmp).1;
        let below = samples.iter().filter(|extent| extent.lo[axis] < middle).count();
        let above = samples.iter().filter(|extent| extent.hi[axis] >= middle).count();
        (axis, middle, below.max(above))
    };
    (0..3).map(at).min_by_key(|&(_, _, larger)| larger).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{BOX, Boxes};
    use crate::{question::pair_limit::PairLimit, question::pairs::Pairs};
    use impinge::broad_phase::Aabb;
    use std::fs;

    const ANY: PairLimit = PairLimit { most: u64::MAX, reach: None };

    /// Boxes on a coarse grid. Many touch, many begin on the same plane, and some are very long.
    fn boxes(count: usize) -> Vec<Aabb> {
        let mut state = 1_u64;
        let mut random = move |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % n) as f64
        };
        let mut one = |i: usize| {
            let lo = [random(40) - 20.0, random(40) - 20.0, random(10)];
            let side = if i.is_multiple_of(50) { 30 } else { 3 };
            let hi = lo.map(|x| x + random(side));
            match i {
                7 => Aabb { lo: [f64::NEG_INFINITY; 3], hi: [f64::INFINITY; 3] },
                8 => Aabb::EMPTY,
                _ => Aabb { lo, hi },
            }
        };
        (0..count).map(&mut one).collect()
    }

    #[test]
    fn tiles_of_any_size_have_the_pairs_of_none() {
        let all = boxes(2000);
        for subject in [Pairs::All, Pairs::Across { second: 700 }] {
            let pairs = |memory: u64| {
                let folder = tempfile::tempdir().unwrap();
                let mut boxes = Boxes::new(folder.path(), memory);
                for some in all.chunks(300) {
                    boxes.extend(some.to_vec()).unwrap();
                }
                let mut pairs =
                    boxes.pairs(&subject, ANY, |pair, corner| (pair, corner.map(f64::to_bits))).unwrap();
                pairs.sort_unstable();
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
                pairs
            };
            let expected = pairs(u64::MAX);
            assert!(expected.len() > 2_000 || matches!(subject, Pairs::Across { .. }));
            for most in [100, 137, 250, 300, 700, 1500, 1999, 2000] {
                assert!(pairs(most * BOX as u64) == expected, "{most}");
            }
        }
    }

    #[test]
    fn boxes_in_one_place_are_an_error_and_not_an_endless_division() {
        let folder = tempfile::tempdir().unwrap();
        let mut boxes = Boxes::new(folder.path(), 10 * BOX as u64);
        boxes.extend(vec![Aabb { lo: [0.0; 3], hi: [1.0; 3] }; 100]).unwrap();
        let error = boxes.pairs(&Pairs::All, ANY, |pair, _| pair).unwrap_err().to_string();
        assert!(error.starts_with("100 boxes reach into each other: box memory"), "{error}");
    }
}
