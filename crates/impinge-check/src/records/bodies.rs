//! [`Bodies`]: the parts of an assembly, and the model of each.
use crate::{
    parts::{build_options::of_parts, meshes::distinct_meshes},
    pool::Pool,
    records::run::Run,
    watch::Watch,
};
use impinge::{Body, Model};
use impinge_io::Part;
use std::{cmp::Reverse, collections::HashSet, sync::Arc};

/// The parts of an assembly and the model of each.
#[derive(Clone, Copy)]
pub(crate) struct Bodies<'a> {
    pub(crate) parts: &'a [Part],
    pub(crate) models: &'a [Arc<Model>],
}

impl<'a> Bodies<'a> {
    pub(crate) fn model(&self, part: u32) -> &'a Arc<Model> {
        &self.models[part as usize]
    }
    /// A part at its pose.
    pub(crate) fn body(&self, part: u32) -> Body<'a> {
        Body::new(self.model(part), self.parts[part as usize].pose)
    }
    /// Number of triangles of both parts.
    pub(crate) fn triangles(&self, pair: [u32; 2]) -> usize {
        pair.map(|part| self.model(part).mesh().len()).iter().sum()
    }
}

/// Builds the model of each part; parts that share a mesh share it. If the check is about solids, also
/// examines the solids that the `needed` parts bound.
pub(crate) fn models(run: &Run<'_>, needed: impl Fn(usize) -> bool) -> anyhow::Result<Vec<Arc<Model>>> {
    let (pool, watch) = (run.pool, run.watch);
    let (meshes, mesh_of) = distinct_meshes(run.parts);
    // The largest first, so that no thread is left alone with one at the end.
    let mut order: Vec<usize> = (0..meshes.len()).collect();
    order.sort_by_key(|&mesh| Reverse(meshes[mesh].len()));
    watch.stage("making parts ready, triangles", meshes.iter().map(|mesh| mesh.len() as u64).sum());
    // Threads that find no mesh left help other threads build theirs.
    let built = pool.each(&order, |&mesh| {
        watch.check()?;
        let model = Model::with_options(Arc::clone(&meshes[mesh]), &of_parts());
        watch.step(meshes[mesh].len() as u64);
        anyhow::Ok(model)
    });
    let mut of_mesh: Vec<Option<Arc<Model>>> = vec![None; meshes.len()];
    for (mesh, model) in order.into_iter().zip(built) {
        of_mesh[mesh] = Some(Arc::new(model?));
    }
    let models: Vec<Arc<Model>> = mesh_of.into_iter().filter_map(|mesh| of_mesh[mesh].clone()).collect();
    if run.asked.rule.is_some() {
        let needed = models.iter().enumerate().filter(|&(part, _)| needed(part)).map(|(_, model)| model);
        solids(needed, pool, watch)?;
    }
    Ok(models)
}

/// Examines the solid of each model once: welds its vertices and matches its edges.
pub(crate) fn solids<'a>(
    models: impl IntoIterator<Item = &'a Arc<Model>>,
    pool: &Pool,
    watch: &Watch<'_>,
) -> anyhow::Result<()> {
    let mut seen = HashSet::new();
    let each: Vec<&Arc<Model>> = models.into_iter().filter(|model| seen.insert(Arc::as_ptr(model))).collect();
    watch.stage("looking at solids, triangles", each.iter().map(|model| model.mesh().len() as u64).sum());
    let done = pool.each(&each, |model| {
        watch.check()?;
        model.solid();
        watch.step(model.mesh().len() as u64);
        anyhow::Ok(())
    });
    done.into_iter().collect()
}
