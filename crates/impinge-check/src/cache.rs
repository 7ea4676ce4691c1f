//! [`Cache`]: decisions of earlier runs, which a check reuses.
//!
//! The result for a pair of parts is a function of their meshes, their poses and the question. A digest of
//! these three identifies the result, whatever else changes. The poses are world poses: where both parts move
//! as one, the pair is decided again, since points and roundings change.
mod file;
mod known;
#[cfg(test)]
mod tests;

pub(crate) use self::known::{Known, Recalled};

use self::file::{Pair, Stored, StoredFound};
use crate::{
    candidates::{self, Candidates},
    chord::Tolerances,
    decide::{self, Decided},
    demands::Demands,
    digest::Digest,
    files,
    mesh_file::MeshBytes,
    meshes::distinct_meshes,
    near::Near,
    numbers::count_of,
    pairs::Pairs,
    parts::Parts,
    pool::Pool,
    pose_numbers,
    records::Records,
    settings::{Asked, Settings},
    stored::StoredClash,
    text::printable,
    watch::Watch,
};
use anyhow::{Context, bail};
use impinge::{Pose, broad_phase::Aabb, distance::Margin};
use impinge_io::Part;
use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
};

/// What earlier runs have decided, in a file: an unchanged pair of parts is not decided again.
///
/// It holds the pairs of the last run, for one set of options. A report does not depend on it.
pub struct Cache {
    path: PathBuf,
    question: Digest,
    old: Stored,
    /// The digest of `old`.
    digest: Option<Digest>,
}

/// The input of a run, as digests of its contents.
struct Contents {
    /// For each part the digest of its mesh and pose together.
    parts: Vec<Digest>,
    /// For each distinct mesh its digest.
    meshes: Vec<Digest>,
}

/// Parts that a thread takes at a time.
const CHUNK: usize = 4096;

/// The layout of the file.
const LAYOUT: u32 = 6;

impl Cache {
    /// Reads the file, if it is there. A cache that is damaged, or of another question, counts as empty, with
    /// a warning; a file that is no cache is not touched.
    pub(crate) fn open(path: &Path, question: &Settings, watch: &Watch<'_>) -> anyhow::Result<Self> {
        let name = printable(&path.to_string_lossy());
        let question = digest(question)?;
        let mut cache = Self { path: path.to_owned(), question, old: Stored::default(), digest: None };
        let bytes = match files::regular(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(cache),
            bytes => bytes.with_context(|| format!("cannot read {}", path.display()))?,
        };
        if bytes.is_empty() {
            return Ok(cache);
        }
        if !file::is_cache(&bytes) {
            bail!("cache {}: it is no cache, and would be replaced", path.display());
        }
        match Stored::decode(&bytes, question) {
            Ok(Some((old, digest))) => (cache.old, cache.digest) = (old, Some(digest)),
            Ok(None) => {
                watch.note(&format!("{name}: is about another question, or of another version"));
            }
            Err(error) => watch.warn(&format!("{name}: is damaged: {error:#}")),
        }
        Ok(cache)
    }

    /// Finds the same as a run without the cache, and writes all decisions into the cache.
    pub(crate) fn find(
        self,
        parts: &[Part],
        subject: &Pairs,
        asked: &Asked,
        pool: &Pool,
        watch: &Watch<'_>,
    ) -> anyhow::Result<Decided> {
        // What is read must not be replaced.
        let mut files: Vec<&Path> = parts.iter().map(|part| &*part.file).collect();
        files.dedup();
        files::check_output(&self.path, files)?;
        let name = printable(&self.path.to_string_lossy());
        let tell = |known: usize, open: usize| {
            let known = count_of(known as u64, "part pair from the cache", "part pairs from the cache");
            let open = count_of(open as u64, "to test", "to test");
            watch.note(&format!("{name}: {known}, {open}"));
        };
        let (decided, new) = find(self.old, parts, subject, asked, (pool, watch), tell)?;
        let (bytes, digest) = new.encode(self.question)?;
        if self.digest != Some(digest) {
            files::write_whole(&self.path, |out| Ok(out.write_all(&bytes)?))?;
        }
        Ok(decided)
    }
}

/// The result of a run without a cache, and the contents of the next cache. `tell` receives the number of
/// decided pairs and the number of open pairs.
fn find(
    old: Stored,
    parts: &[Part],
    subject: &Pairs,
    asked: &Asked,
    (pool, watch): (&Pool, &Watch<'_>),
    tell: impl Fn(usize, usize),
) -> anyhow::Result<(Decided, Stored)> {
    let tolerances = asked.tolerances(parts)?;
    let contents = Contents::new(parts, (tolerances.as_ref(), asked.demands.as_deref()), pool, watch);
    let known = Known::new(old, &contents.parts, &contents.meshes);
    let asked_of = (asked, tolerances.as_ref());
    let (mut open, recalled, extents) = Candidates::find(parts, subject, asked_of, &known, pool, watch)?;
    tell(recalled.len(), open.tested());
    let needed = open.parts(parts.len());
    let models = decide::build_models(parts, |part| needed[part], asked, pool, watch)?;
    let (ledger, pairs) = (open.ledger.take(), pairs(&open, known.meet(&recalled)));
    let found = decide::all((parts, &models), open, asked_of, pool, watch)?;
    let found = known.answers(&recalled, asked).with(found).found(asked)?;
    let facts =
        Parts::new(parts, &models, (asked.rule, candidates::around(&extents)), |mesh| known.solid(mesh));
    let (not_examined, mut pairs) = (found.not_examined(), pairs);
    let complete =
        |ledger| decide::complete(ledger, asked_of, pairs.iter().copied(), (&extents, &not_examined));
    let ledger = ledger.map(complete);
    // Pairs for which there was no time stay open: the next run decides them.
    pairs.retain(|(pair, _)| not_examined.binary_search(pair).is_err());
    let stored = stored(&contents, &extents, pairs, (&found, &facts));
    Ok((Decided { records: found, parts: facts, models, extents, ledger }, stored))
}

impl Contents {
    fn new(
        parts: &[Part],
        (tolerances, demands): (Option<&Tolerances>, Option<&Demands>),
        pool: &Pool,
        watch: &Watch<'_>,
    ) -> Self {
        let (meshes, mesh_of) = distinct_meshes(parts);
        watch.stage("digests of meshes and parts", meshes.len() as u64);
        let meshes = pool.each(&meshes, |distinct| {
            let digest = MeshBytes::of(distinct).digest;
            watch.step(1);
            digest
        });
        let chunks = parts.chunks(CHUNK).zip(mesh_of.chunks(CHUNK));
        let chunks: Vec<_> = (0..).step_by(CHUNK).zip(chunks).collect();
        let parts = pool.each(&chunks, |&(first, (parts, mesh_of))| {
            let part = |(i, (part, &mesh)): (u32, (&Part, &usize))| {
                let placed = placed(&meshes[mesh], &part.pose, tolerances.map(|all| all.of(i)));
                match demands {
                    None => placed,
                    Some(all) => Digest::of(&[*placed.bytes(), *all.digest_of(i).bytes()].concat()),
                }
            };
            (first..).zip(parts.iter().zip(mesh_of)).map(part).collect::<Vec<_>>()
        });
        Self { parts: parts.concat(), meshes }
    }
}

/// The digest of a mesh, its pose and, if there is one, its chord tolerance.
fn placed(mesh: &Digest, pose: &Pose, tolerance: Option<Margin>) -> Digest {
    let mut bytes = [0; 136];
    bytes[..32].copy_from_slice(mesh.bytes());
    let numbers = pose_numbers::of(pose).into_iter().chain(tolerance.map(Margin::get));
    let length = 32 + 8 * numbers.clone().count();
    for (to, number) in bytes[32..].as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
        *to = number.to_le_bytes();
    }
    Digest::of(&bytes[..length])
}

/// The digest of all that results depend on besides the parts. The limit of pairs changes no result.
fn digest(question: &Settings) -> anyhow::Result<Digest> {
    let mut question = serde_json::to_value(question)?;
    question.as_object_mut().context("a question has no fields")?.remove("max_pairs");
    let all = (LAYOUT, env!("CARGO_PKG_VERSION"), question);
    Ok(Digest::of(&serde_json::to_vec(&all)?))
}

/// All examined pairs, ascending, and whether their boxes meet: candidates and pairs that the cache holds.
/// With distance queries, the boxes of some pairs do not meet.
fn pairs(open: &Candidates, known: impl Iterator<Item = ([u32; 2], bool)>) -> Vec<([u32; 2], bool)> {
    let mut all = open.all();
    all.extend(known);
    all.sort_unstable();
    all
}

/// The contents of the next cache, with numbers of distinct parts instead of indices.
fn stored(
    contents: &Contents,
    extents: &[Aabb],
    pairs: Vec<([u32; 2], bool)>,
    (found, facts): (&Records, &Parts),
) -> Stored {
    let (mut numbers, mut known) = (Vec::with_capacity(contents.parts.len()), HashMap::new());
    let mut parts = Vec::with_capacity(contents.parts.len());
    for (digest, extent) in contents.parts.iter().zip(extents) {
        numbers.push(*known.entry(digest).or_insert_with(|| {
            parts.push((*digest, *extent));
            parts.len() as u32 - 1
        }));
    }
    let number = |pair: [u32; 2]| pair.map(|part| numbers[part as usize]);
    let nears = found.nears.as_ref();
    // In the order of indices, as all of them are.
    let mut reached = nears.map_or(&[][..], |nears| &nears.reached).iter().copied().peekable();
    let pair = |(pair, meets)| {
        let reached = reached.next_if(|(other, _)| *other == pair).map(|(_, place)| place);
        Pair::new(number(pair), meets, reached)
    };
    let mut pairs: Vec<Pair> = pairs.into_iter().map(pair).collect();
    let clash = |clash| StoredClash::new(clash, &found.clashes, number(clash.parts));
    let mut clashes: Vec<StoredClash> = found.clashes.list.iter().map(clash).collect();
    let near = |near: &Near| Near { parts: number(near.parts), ..*near };
    let mut near: Vec<Near> = nears.map_or(&[][..], |nears| &nears.list).iter().map(near).collect();
    // Equal parts in one place have equal results.
    pairs.sort_by_key(|pair| pair.parts);
    pairs.dedup_by_key(|pair| pair.parts);
    clashes.sort_by_key(|clash| clash.parts);
    clashes.dedup_by_key(|clash| clash.parts);
    near.sort_by_key(|near| near.parts);
    near.dedup_by_key(|near| near.parts);
    let solids = contents.meshes.iter().zip(facts.solids());
    let solids = solids.filter_map(|(digest, solid)| Some((*digest, solid?.clone()))).collect();
    Stored { parts, pairs, found: StoredFound { clashes, near, solids } }
}
