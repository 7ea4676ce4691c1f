//! [`Cache`]: decisions of earlier runs, which a check reuses.
//!
//! The result for a pair of parts is a function of their meshes, their poses and the query. A digest of these
//! three identifies the result, whatever else changes. The poses are world poses. If both parts move as one,
//! the pair is decided again, since points and roundings change.
mod file;
mod known;
#[cfg(test)]
mod tests;

use self::{
    file::{Pair, Stored, StoredFound},
    known::Known,
};
use crate::{
    files::{self, mesh_file::MeshBytes},
    parts::{Parts, meshes::distinct_meshes},
    question::{pairs::Pairs, settings::Settings, test_plan::Candidate},
    records::{
        Records,
        bodies::{self, Bodies},
        candidates::{self, BoxPairs, Candidates},
        decide::{self, Decided},
        near::Near,
        run::Run,
        stored::StoredClash,
    },
    values::{digest::Digest, numbers::count_of, pose_numbers, text::printable},
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

/// Results of earlier runs in a file. A check does not decide an unchanged pair of parts again.
///
/// It holds the pairs of the last run, for one set of options. Reports do not depend on it.
pub struct Cache {
    path: PathBuf,
    question: Digest,
    old: Stored,
    digest: Option<Digest>,
}

/// The input of a run, as digests of its contents.
struct Contents {
    /// The digest of each part: its mesh and its pose together.
    parts: Vec<Digest>,
    /// The digest of each distinct mesh.
    meshes: Vec<Digest>,
}

/// Number of parts that a thread takes at a time.
const CHUNK: usize = 4096;

/// The version of the file's layout.
const LAYOUT: u32 = 9;

impl Cache {
    /// Reads the file, if it exists. A cache that is damaged counts as empty, with a warning; one of another
    /// query or version, with a note. A file that is no cache is an error, and stays as it is.
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

    /// Finds the results of a run without the cache, and writes them all into the cache.
    pub(crate) fn find(self, run: &Run<'_>, subject: &Pairs) -> anyhow::Result<Decided> {
        // The cache must not replace an input.
        let mut files: Vec<&Path> = run.parts.iter().map(|part| &*part.file).collect();
        files.dedup();
        files::check_output(&self.path, files)?;
        let name = printable(&self.path.to_string_lossy());
        let tell = |known: usize, open: usize| {
            let known = count_of(known as u64, "part pair from the cache", "part pairs from the cache");
            let open = count_of(open as u64, "to test", "to test");
            run.watch.note(&format!("{name}: {known}, {open}"));
        };
        let (decided, new) = find(self.old, run, subject, tell)?;
        let (bytes, digest) = new.encode(self.question)?;
        if self.digest != Some(digest) {
            files::write_whole(&self.path, |out| Ok(out.write_all(&bytes)?))?;
        }
        Ok(decided)
    }
}

/// The result of a run without a cache, and the contents of the next cache. `tell` receives the numbers of
/// known pairs and of open pairs.
fn find(
    old: Stored,
    run: &Run<'_>,
    subject: &Pairs,
    tell: impl Fn(usize, usize),
) -> anyhow::Result<(Decided, Stored)> {
    let (parts, asked) = (run.parts, run.asked);
    let contents = Contents::new(run);
    let known = Known::new(old, &contents.parts, &contents.meshes);
    let mut pairs = BoxPairs::find(run, subject, |part| known.extent(part))?;
    let recalled = known.recall(&mut pairs.pairs);
    let mut open = pairs.candidates(run, recalled.len())?;
    tell(recalled.len(), open.list.len());
    let needed = open.parts(parts.len());
    let models = bodies::models(run, |part| needed[part])?;
    let found = decide::all(run, Bodies { parts, models: &models }, &mut open.list, false)?;
    let Candidates { list, ledger, extents } = open;
    let mut records = known.answers(&recalled, asked).with(found).found(asked)?;
    let facts =
        Parts::new(parts, &models, asked.rule, candidates::around(&extents), |mesh| known.solid(mesh));
    // All examined pairs, ascending: candidates and pairs that the cache holds.
    let mut pairs: Vec<Candidate> = list.into_iter().chain(known.candidates(&recalled)).collect();
    pairs.sort_unstable_by_key(|candidate| candidate.pair);
    let not_examined = records.not_examined();
    records.ledger = decide::complete(run, ledger, &pairs, &extents, &not_examined);
    // Pairs that were not examined for lack of time stay open, for the next run.
    pairs.retain(|candidate| not_examined.binary_search(&candidate.pair).is_err());
    let stored = stored(&contents, &extents, pairs, &records, &facts);
    Ok((Decided { records, parts: facts, models, extents, shapes: None }, stored))
}

impl Contents {
    fn new(run: &Run<'_>) -> Self {
        let Run { parts, asked, pool, watch, .. } = *run;
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
                let tolerance = run.tolerances.as_ref().map(|all| all.of(i));
                let placed = placed(&meshes[mesh], &part.pose, tolerance);
                match asked.tests.digest_of(i) {
                    None => placed,
                    Some(of_rules) => Digest::of(&[*placed.bytes(), *of_rules.bytes()].concat()),
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

/// The digest of all that results depend on besides the parts. It leaves out the limit of pairs, which
/// changes no result.
fn digest(question: &Settings) -> anyhow::Result<Digest> {
    let mut question = serde_json::to_value(question)?;
    question.as_object_mut().context("a question has no fields")?.remove("max_pairs");
    let all = (LAYOUT, env!("CARGO_PKG_VERSION"), question);
    Ok(Digest::of(&serde_json::to_vec(&all)?))
}

/// The contents of the next cache, with numbers of distinct parts instead of indices.
fn stored(
    contents: &Contents,
    extents: &[Aabb],
    pairs: Vec<Candidate>,
    found: &Records,
    facts: &Parts,
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
    // In the order of indices, as `pairs`.
    let mut reached = nears.map_or(&[][..], |nears| &nears.reached).iter().copied().peekable();
    let pair = |Candidate { pair, boxes_meet }| {
        let reached = reached.next_if(|(other, _)| *other == pair).map(|(_, place)| place);
        Pair::new(number(pair), boxes_meet, reached)
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
