//! impinge in the default race.
use contract::{Arguments, Engine, Frame, Mesh};
use impinge::{Body, Model, Pose, Quality, Query, SimdLevel, distance::Margin, query::QueryCache};
use impinge_volumes::{Fit, Kind, Options, Overlap, Split};
use std::{process::ExitCode, sync::Arc};

struct Impinge {
    models: [Model; 2],
    poses: [Pose; 2],
    query: Query,
    /// With `--seed yes`: the cache that one frame passes to the next, for distances.
    cache: Option<QueryCache>,
    name: String,
}

impl Engine for Impinge {
    /// `default` is the library's default.
    const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("volume", "default"),
        ("split", "default"),
        ("fit", "default"),
        ("leaf-size", "default"),
        ("arity", "default"),
        ("quality", "default"),
        ("compact", "no"),
        ("overlap", "default"),
        ("simd", "default"),
        ("seed", "no"),
    ];
    type Input = Arc<impinge::Mesh>;

    fn input(mesh: &Mesh) -> Result<Self::Input, String> {
        impinge::Mesh::new(mesh.points.clone(), mesh.triangles.clone())
            .map(Arc::new)
            .map_err(|error| error.to_string())
    }
    fn build(a: Self::Input, b: Self::Input, arguments: &Arguments) -> Result<Self, String> {
        let (mut options, mut query) = (Options::default(), Query::new());
        let asked = |option: &str| arguments.options[option] != "default";
        if asked("volume") {
            options.kind = arguments.choose("volume", Kind::ALL, Kind::name)?;
        }
        if asked("split") {
            options.split = arguments.choose("split", Split::ALL, Split::name)?;
        }
        if asked("fit") {
            options.fit = arguments.choose("fit", Fit::ALL, Fit::name)?;
        }
        if asked("leaf-size") {
            options.leaf_size = arguments.number("leaf-size")?;
        }
        if asked("arity") {
            options.arity = arguments.number("arity")?;
        }
        if asked("quality") {
            options.quality = arguments.choose("quality", Quality::ALL, Quality::name)?;
        }
        let yes_or_no =
            |option| arguments.choose(option, &[false, true], |yes| if yes { "yes" } else { "no" });
        options.compact = yes_or_no("compact")?;
        let cache = yes_or_no("seed")?.then(QueryCache::new);
        if asked("overlap") {
            options.overlap = arguments.choose("overlap", Overlap::ALL, Overlap::name)?;
        }
        if asked("simd") {
            query = query.simd(arguments.choose("simd", SimdLevel::ALL, SimdLevel::name)?);
        }
        // 0 selects the default of the kind.
        let auto = |n: usize| if n == 0 { "auto".to_owned() } else { n.to_string() };
        let name = format!(
            "impinge {} split={} fit={} leaf={} arity={} quality={} compact={} overlap={}{}",
            options.kind.name(),
            options.split.name(),
            options.fit.name(),
            auto(options.leaf_size),
            auto(options.arity),
            options.quality.name(),
            if options.compact { "yes" } else { "no" },
            options.overlap.name(),
            if cache.is_some() { " seed=yes" } else { "" }
        );
        let build = |mesh| options.build(mesh).map_err(|error| error.to_string());
        Ok(Self { models: [build(a)?, build(b)?], poses: [Pose::IDENTITY; 2], query, cache, name })
    }
    fn name(&self) -> String {
        self.name.clone()
    }
    fn version(&self) -> String {
        "this tree (see the revision of the record)".to_owned()
    }
    fn notes(&self) -> String {
        "exact: vertices and poses are used in f64, nothing is rounded; pairs come sorted".to_owned()
    }
    /// The meshes were made before; the models share them.
    fn copied(&self) -> usize {
        0
    }
    fn counted(&self) -> Option<usize> {
        Some(self.models.iter().map(|model| model.stats().bytes).sum())
    }
    fn place(&mut self, frame: &Frame) -> Result<(), String> {
        for (pose, to) in self.poses.iter_mut().zip(frame) {
            *pose = Pose::rigid(to.rows, to.translation).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
    fn query(&mut self, all: bool, pairs: &mut Vec<[u32; 2]>) {
        let [a, b] = [0, 1].map(|k| Body::new(&self.models[k], self.poses[k]));
        if all {
            self.query.pairs_into(&a, &b, pairs);
        } else {
            pairs.clear();
            pairs.extend(self.query.first_contact(&a, &b));
        }
    }
    fn distance(&mut self) -> Result<f64, String> {
        let [a, b] = [0, 1].map(|k| Body::new(&self.models[k], self.poses[k]));
        let gap = match &mut self.cache {
            Some(cache) => self.query.with_cache(cache).distance(&a, &b),
            None => self.query.distance(&a, &b),
        };
        gap.map(|gap| gap.hi).ok_or("a mesh is empty".to_owned())
    }
    fn within(&mut self, margin: f64) -> Result<bool, String> {
        let [a, b] = [0, 1].map(|k| Body::new(&self.models[k], self.poses[k]));
        Ok(self.query.within(&a, &b, Margin::new(margin).map_err(|error| error.to_string())?))
    }
}

fn main() -> ExitCode {
    contract::main::<Impinge>()
}
