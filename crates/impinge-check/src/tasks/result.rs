//! The result of one task, as `work` writes it: a file with eight bytes that identify the layout, the digest
//! of the rest, and the rest.
use super::folder::Folder;
use crate::{
    files,
    parts::SolidFacts,
    question::test_plan::{Ledger, TestCounts},
    records::{
        Collected, Records,
        clash::{Clash, Clashes},
        near::Near,
        stored::{StoredClash, ascend},
    },
    values::digest::Digest,
};
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::{fs, io, path::Path};

const NAME: &[u8; 8] = b"impreslt";
const HEADER: usize = 40;

/// The result of one task. Parts and meshes have their numbers in the plan.
#[derive(Serialize, Deserialize)]
pub(crate) struct TaskResult {
    /// The query of this result: the digests of the plan and of the task, the number of the task, and the
    /// number of its pairs.
    plan: Digest,
    task: Digest,
    k: u32,
    pub(crate) pairs: u64,
    /// Number of pairs whose boxes meet. All of them were tested.
    pub(crate) boxes_overlap: u64,
    clashes: Vec<StoredClash>,
    nears: Option<StoredNears>,
    ledger: Ledger,
    pub(crate) solids: Vec<(u32, SolidFacts)>,
}

#[derive(Serialize, Deserialize)]
struct StoredNears {
    list: Vec<Near>,
    counts: Vec<u64>,
    boxes_within: u64,
}

/// The query that a result must belong to.
#[derive(Clone, Copy)]
pub(crate) struct Expected {
    pub(crate) plan: Digest,
    pub(crate) task: Digest,
    pub(crate) k: u32,
    pub(crate) pairs: u64,
    pub(crate) parts: u64,
}

impl TaskResult {
    /// The result with the records `found`. `parts` has the number of each part in the plan.
    pub(crate) fn new(
        expected: &Expected,
        parts: &[u32],
        found: &Records,
        solids: Vec<(u32, SolidFacts)>,
    ) -> Self {
        let Clashes { list, boxes_overlap, .. } = &found.clashes;
        let numbers = |pair: [u32; 2]| pair.map(|part| parts[part as usize]);
        let stored = |clash: &Clash| StoredClash::new(clash, &found.clashes, numbers(clash.parts));
        let nears = found.nears.as_ref().map(|nears| StoredNears {
            list: nears.list.iter().map(|near| Near { parts: numbers(near.parts), ..*near }).collect(),
            counts: nears.counts.clone(),
            boxes_within: nears.boxes_within,
        });
        Self {
            plan: expected.plan,
            task: expected.task,
            k: expected.k,
            pairs: expected.pairs,
            boxes_overlap: *boxes_overlap,
            clashes: list.iter().map(stored).collect(),
            nears,
            ledger: found.ledger.clone(),
            solids,
        }
    }

    pub(crate) fn encode(&self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = postcard::to_extend(self, vec![0; HEADER])?;
        let digest = Digest::of(&bytes[HEADER..]);
        bytes[..NAME.len()].copy_from_slice(NAME);
        bytes[NAME.len()..HEADER].copy_from_slice(digest.bytes());
        Ok(bytes)
    }

    /// Reads the result from a file, if it is whole and the expected one. Also returns its digest.
    pub(crate) fn read(path: &Path, expected: &Expected) -> anyhow::Result<(Self, Digest)> {
        let bytes = files::read(path)?;
        Self::decode(&bytes, expected).with_context(|| path.display().to_string())
    }

    fn decode(bytes: &[u8], expected: &Expected) -> anyhow::Result<(Self, Digest)> {
        let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else {
            bail!("is damaged: it ends early")
        };
        let digest = Digest::of(body);
        if !header.starts_with(NAME) || header[NAME.len()..] != *digest.bytes() {
            bail!("is damaged: its content does not match its digest");
        }
        let result: Self = postcard::from_bytes(body).context("is no result")?;
        if result.plan != expected.plan {
            bail!("is a result of another plan");
        }
        if (result.k, result.task) != (expected.k, expected.task) {
            bail!("is the result of task {}", result.k);
        }
        result.check(expected).context("is no result of this task")?;
        Ok((result, digest))
    }

    fn check(&self, expected: &Expected) -> anyhow::Result<()> {
        if self.pairs != expected.pairs || self.boxes_overlap > self.pairs {
            bail!("it has {} of the {} part pairs", self.pairs, expected.pairs);
        }
        let is_pair = |[a, b]: [u32; 2]| a < b && u64::from(b) < expected.parts;
        if !ascend(self.clashes.iter().map(|clash| clash.parts), is_pair) {
            bail!("its clashes are not in order");
        }
        if self.clashes.len() as u64 > self.boxes_overlap {
            bail!("it has more clashes than pairs");
        }
        self.clashes.iter().try_for_each(StoredClash::check)?;
        let counts = self.nears.iter().flat_map(|nears| &nears.counts);
        if !counts.into_iter().all(|&count| count <= self.pairs) {
            bail!("more pairs are near than there are");
        }
        let is_count =
            |test: &TestCounts| test.tested <= self.pairs && (test.ignored, test.not_examined) == (0, 0);
        let Ledger { tests, removed_by, left_out } = &self.ledger;
        if tests.len() != 1 || !tests.iter().all(is_count) || !removed_by.is_empty() || *left_out != [0; 2] {
            bail!("the numbers of its pairs are wrong");
        }
        if let Some(nears) = &self.nears
            && (!ascend(nears.list.iter().map(|near| near.parts), is_pair)
                || nears.boxes_within != self.pairs)
        {
            bail!("not all distances were tested");
        }
        Ok(())
    }

    pub(crate) fn has_distances(&self) -> bool {
        self.nears.is_some()
    }
    /// Numbers of pairs whose triangles meet, and of pairs inside each other without that.
    pub(crate) fn touching(&self) -> [u64; 2] {
        let all = self.clashes.len() as u64;
        let touching = self.clashes.iter().filter(|clash| clash.triangle_pairs > 0).count() as u64;
        [touching, all - touching]
    }
    /// Numbers of pairs that are listed as near, and of pairs that may be near by their boxes.
    pub(crate) fn near(&self) -> Option<(u64, u64)> {
        self.nears.as_ref().map(|nears| (nears.list.len() as u64, nears.boxes_within))
    }

    pub(crate) fn collect(self, all: &mut Collected) {
        all.boxes_overlap += self.boxes_overlap;
        all.ledger.add_all(&self.ledger);
        self.clashes.iter().for_each(|clash| all.add_clash(clash, clash.parts));
        if let Some(nears) = self.nears {
            all.near.extend(nears.list);
            all.boxes_within += nears.boxes_within;
            all.add_counts(&nears.counts);
        }
    }
}

pub(crate) enum Written {
    New,
    /// The file existed, with the same result.
    Same,
}

/// Writes the result of a task. An existing one must be the same.
pub(crate) fn write(folder: &Folder, expected: &Expected, bytes: &[u8]) -> anyhow::Result<Written> {
    let path = folder.result(expected.k);
    if path.exists() {
        let (_, old) = TaskResult::read(&path, expected)?;
        if bytes[NAME.len()..HEADER] != *old.bytes() {
            bail!("{}: was done twice, and the results differ: please report it", path.display());
        }
        return Ok(Written::Same);
    }
    // Some programs do not copy empty folders.
    let results = folder.results();
    fs::create_dir_all(&results).with_context(|| format!("cannot write {}", results.display()))?;
    files::write_whole(&path, |out| Ok(out.write_all(bytes)?))?;
    Ok(Written::New)
}

/// The files with results of each task: `results/<K>` and `results/<K>.<anything>`.
pub(crate) fn files(folder: &Folder, tasks: u32) -> anyhow::Result<Vec<Vec<String>>> {
    let results = folder.results();
    let mut files = vec![Vec::new(); tasks as usize];
    let entries = match fs::read_dir(&results) {
        // Without the folder there are no results.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(files),
        entries => entries.map_err(|error| files::read_error(&results, error))?,
    };
    for entry in entries {
        let name = entry.map_err(|error| files::read_error(&results, error))?.file_name();
        // An unfinished file of a worker begins with a dot.
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let number = name.split('.').next().unwrap_or_default();
        let is_number = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
        let k = number.parse::<u32>().ok().filter(|&k| is_number && k < tasks && k.to_string() == number);
        let Some(k) = k else { bail!("{}: is the result of no task", results.join(name).display()) };
        files[k as usize].push(name.to_owned());
    }
    files.iter_mut().for_each(|names| names.sort_unstable());
    Ok(files)
}
