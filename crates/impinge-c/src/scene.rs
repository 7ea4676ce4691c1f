//! Scenes: many bodies that move.
use crate::{
    border::{Buffer, place, results, vector, write_all},
    handle::{Shell, create, exclusive, free, handle, shared},
    model::impinge_model,
    near::{accuracy, impinge_accuracy, impinge_distance_result},
    number::number,
    pairs::{impinge_contact, impinge_pair},
    points::{finite_points, impinge_closest},
    pose::{Maps, checked, impinge_pose},
    solids::impinge_relation_kind,
    status::{Done, Failure, call, impinge_status},
    stop::impinge_stop,
};
use impinge::{
    HalfSpace, Scene, Threads,
    distance::Margin,
    scene::{BodyId, Detail, Filter, SceneOptions, Watch},
};
use impinge_check::Pool;
use std::{
    collections::HashMap,
    mem::MaybeUninit,
    sync::{Arc, atomic::AtomicBool},
};

/// Many bodies, each a shared model at a pose, and their contacts. An update decides again only the pairs
/// that may have changed. Use a scene on one thread at a time.
pub struct impinge_scene(Shell<SceneState>);
handle!(impinge_scene, SceneState, b"im scene");

#[derive(Default)]
pub(crate) struct SceneState {
    pub(crate) scene: Scene,
    /// All bodies that were ever added, by their numbers in C; `None` for those that were removed.
    ids: Vec<Option<BodyId>>,
    /// Their numbers, also of those that were removed: a contact of theirs may end later.
    numbers: HashMap<BodyId, u32>,
    pool: Option<Pool>,
    /// The poses of bodies.
    maps: Maps,
    stop: Option<Arc<AtomicBool>>,
}

impl SceneState {
    pub(crate) fn id(&self, body: u32) -> Done<BodyId> {
        let id = self.ids.get(body as usize).copied().flatten();
        id.ok_or_else(|| Failure::argument(format!("the scene has no body {body}")))
    }
    fn add(&mut self, id: BodyId) -> Done<u32> {
        let number = u32::try_from(self.ids.len());
        let number = number.map_err(|_| Failure::argument("a scene gives 2^32 ids at most"))?;
        self.ids.push(Some(id));
        self.numbers.insert(id, number);
        Ok(number)
    }
    pub(crate) fn number(&self, id: BodyId) -> u32 {
        self.numbers[&id]
    }
}

/// The results that an update computes for bodies that meet.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_detail {
    /// Only that they meet.
    Bodies = 0,
    /// The number of pairs of triangles that meet.
    Counts = 1,
    /// All pairs of triangles that meet.
    Triangles = 2,
    /// These, and the relation of both as solids. A body inside another is then a contact, too.
    Relations = 3,
}

/// Two bodies of a scene that meet.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_scene_contact {
    /// One body.
    pub a: u32,
    /// The other body.
    pub b: u32,
    /// True if they did not meet at the update before.
    pub began: bool,
    /// Triangles that meet; not found if one is inside the other without contact.
    pub witness: impinge_contact,
    /// The number of pairs of triangles that meet; 0 for IMPINGE_DETAIL_BODIES.
    pub triangle_pairs: u64,
    /// True if the relation is known: for IMPINGE_DETAIL_RELATIONS, unless a body has a radius.
    pub has_relation: bool,
    /// The relation of `a` to `b`.
    pub relation: impinge_relation_kind,
}

/// Two bodies of a scene that do not meet, but are within its margin.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_scene_near {
    /// One body.
    pub a: u32,
    /// The other body.
    pub b: u32,
    /// True if they were not near at the update before.
    pub began: bool,
    /// Their distance.
    pub distance: impinge_distance_result,
}

/// The body of a scene that is nearest to a point.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_scene_nearest {
    /// The body; 0 if there is none.
    pub body: u32,
    /// Its nearest point.
    pub closest: impinge_closest,
}

/// Makes a scene without bodies. Free it with impinge_scene_free().
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_new(
    out_scene: Option<&mut MaybeUninit<*mut impinge_scene>>,
) -> impinge_status {
    call(|| create(out_scene, || Ok(SceneState::default())))
}

/// Makes a scene without bodies whose updates run on this number of threads; 0 is one for each core. Results
/// do not depend on it. Free the scene with impinge_scene_free().
///
/// Errors: the system starts no threads.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_new_threaded(
    threads: u16,
    out_scene: Option<&mut MaybeUninit<*mut impinge_scene>>,
) -> impinge_status {
    call(|| {
        create(out_scene, || {
            let scene = Scene::with_options(SceneOptions::new().threads(Threads::Pool));
            Ok(SceneState { scene, pool: Some(Pool::new(threads)?), ..SceneState::default() })
        })
    })
}

/// Sets whether later calls take affine poses. False at first.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_set_affine(
    scene: Option<&mut impinge_scene>,
    affine: bool,
) -> impinge_status {
    call(|| {
        exclusive(scene)?.maps = if affine { Maps::Affine } else { Maps::Rigid };
        Ok(())
    })
}

/// Adds a body, and writes its id. It shares the model, which can be freed. NULL as the pose is the identity.
/// Ids are 0, 1, 2 and so on; none is given twice.
///
/// Errors: a pose that is not rigid.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_add(
    scene: Option<&mut impinge_scene>,
    model: Option<&impinge_model>,
    pose: Option<&impinge_pose>,
    out_body: Option<&mut MaybeUninit<u32>>,
) -> impinge_status {
    call(|| {
        let (state, model) = (exclusive(scene)?, shared(model)?);
        let pose = checked(pose, state.maps)?;
        let out = place(out_body, "out_body")?;
        let id = state.scene.add(model.clone(), pose)?;
        out.write(state.add(id)?);
        Ok(())
    })
}

/// Adds the half-space of all points x with normal . x <= offset, and writes its id. Its triangle in contacts
/// is 0.
///
/// Errors: a number that is NaN or infinite, a normal of length 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_scene_add_half_space(
    scene: Option<&mut impinge_scene>,
    normal: *const f64,
    offset: f64,
    out_body: Option<&mut MaybeUninit<u32>>,
) -> impinge_status {
    call(|| {
        let (state, out) = (exclusive(scene)?, place(out_body, "out_body")?);
        let half_space = HalfSpace::new(unsafe { vector(normal, "normal") }?, offset)?;
        let id = state.scene.add_half_space(half_space)?;
        out.write(state.add(id)?);
        Ok(())
    })
}

/// Removes a body.
///
/// Errors: the scene has no such body.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_remove(scene: Option<&mut impinge_scene>, body: u32) -> impinge_status {
    call(|| {
        let state = exclusive(scene)?;
        state.scene.remove(state.id(body)?)?;
        state.ids[body as usize] = None;
        Ok(())
    })
}

/// Moves a body. NULL is the identity.
///
/// Errors: the scene has no such body, a pose that is not rigid; IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_set_pose(
    scene: Option<&mut impinge_scene>,
    body: u32,
    pose: Option<&impinge_pose>,
) -> impinge_status {
    call(|| {
        let state = exclusive(scene)?;
        let pose = checked(pose, state.maps)?;
        Ok(state.scene.set_pose(state.id(body)?, pose)?)
    })
}

/// Sets the radius of a body: see impinge_body_set_radius().
///
/// Errors: the scene has no such body, a radius that is negative, NaN or more than 2^900;
/// IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_set_radius(
    scene: Option<&mut impinge_scene>,
    body: u32,
    radius: f64,
) -> impinge_status {
    call(|| {
        let state = exclusive(scene)?;
        Ok(state.scene.set_radius(state.id(body)?, radius)?)
    })
}

/// Sets the groups of a body and those that it is tested against, a bit for each. Two bodies are tested if
/// each is in a group of the other's mask. At first all bits are set.
///
/// Errors: the scene has no such body.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_set_filter(
    scene: Option<&mut impinge_scene>,
    body: u32,
    groups: u32,
    mask: u32,
) -> impinge_status {
    call(|| {
        let state = exclusive(scene)?;
        Ok(state.scene.set_filter(state.id(body)?, Filter { groups, mask })?)
    })
}

/// Allows or forbids two bodies to meet: a pair that is allowed to is not tested.
///
/// Errors: the scene has no such body.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_set_allowed(
    scene: Option<&mut impinge_scene>,
    a: u32,
    b: u32,
    allowed: bool,
) -> impinge_status {
    call(|| {
        let state = exclusive(scene)?;
        Ok(state.scene.set_allowed([state.id(a)?, state.id(b)?], allowed)?)
    })
}

/// Sets the margin up to which impinge_scene_near_pairs() lists bodies that do not meet. 0 at first: none.
///
/// Errors: a margin that is negative, infinite or NaN.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_set_margin(scene: Option<&mut impinge_scene>, margin: f64) -> impinge_status {
    call(|| {
        exclusive(scene)?.scene.set_margin(Margin::new(margin)?);
        Ok(())
    })
}

/// Sets the flag that ends updates; NULL for none.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_set_stop(
    scene: Option<&mut impinge_scene>,
    stop: Option<&impinge_stop>,
) -> impinge_status {
    call(|| {
        let stop = stop.map(|stop| shared(Some(stop))).transpose()?;
        exclusive(scene)?.stop = stop.cloned();
        Ok(())
    })
}

/// Finds the contacts of all bodies, and which began or ended since the last update.
///
/// Errors: IMPINGE_STATUS_STOPPED. There are no contacts then; the next update continues from here, and
/// compares with the last one that was completed.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_update(
    scene: Option<&mut impinge_scene>,
    detail: MaybeUninit<impinge_detail>,
) -> impinge_status {
    call(|| {
        let SceneState { scene, pool, stop, .. } = exclusive(scene)?;
        let detail = match number(detail) {
            0 => Detail::Bodies,
            1 => Detail::Counts,
            2 => Detail::Triangles,
            3 => Detail::Relations,
            other => return Err(Failure::argument(format!("{other} is no detail"))),
        };
        let watch = stop.as_ref().map_or(Watch::new(), |stop| Watch::new().stop(stop));
        match pool {
            Some(pool) => pool.install(|| scene.update_with(detail, &watch))?,
            None => scene.update_with(detail, &watch)?,
        }
        Ok(())
    })
}

/// Copies the contacts of the last update into a buffer, sorted by their bodies' places in the scene.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_scene_contacts(
    scene: Option<&impinge_scene>,
    contacts: *mut impinge_scene_contact,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let state = shared(scene)?;
        let buffer = unsafe { Buffer::new(contacts, capacity, out_count) }?;
        buffer.fill(state.scene.contacts().iter().map(|contact| {
            let [a, b] = contact.bodies.map(|id| state.number(id));
            impinge_scene_contact {
                a,
                b,
                began: contact.began,
                witness: contact.witness.into(),
                triangle_pairs: contact.triangle_pairs.unwrap_or_default(),
                has_relation: contact.relation.is_some(),
                relation: contact
                    .relation
                    .map_or(impinge_relation_kind::Apart, |relation| relation.kind.into()),
            }
        }))
    })
}

/// Copies the pairs of triangles of a contact of the last update into a buffer, sorted. `index` is that of
/// the contact in the list of impinge_scene_contacts().
///
/// Errors: there is no such contact, the update was of IMPINGE_DETAIL_BODIES or IMPINGE_DETAIL_COUNTS,
/// IMPINGE_STATUS_BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_scene_contact_pairs(
    scene: Option<&impinge_scene>,
    index: usize,
    pairs: *mut impinge_pair,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let state = shared(scene)?;
        let buffer = unsafe { Buffer::new(pairs, capacity, out_count) }?;
        let contact = state.scene.contacts().get(index);
        let contact = contact.ok_or_else(|| Failure::argument(format!("there is no contact {index}")))?;
        buffer.fill(state.scene.triangle_pairs(contact)?.iter().map(|&pair| pair.into()))
    })
}

/// Copies the contacts that ended with the last update into a buffer, as pairs of ids. A body of such a pair
/// may have been removed.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_scene_ended(
    scene: Option<&impinge_scene>,
    bodies: *mut impinge_pair,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let state = shared(scene)?;
        let buffer = unsafe { Buffer::new(bodies, capacity, out_count) }?;
        buffer.fill(state.scene.ended().iter().map(|ids| ids.map(|id| state.number(id)).into()))
    })
}

/// Copies the pairs of bodies within the margin at the last update into a buffer.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_scene_near_pairs(
    scene: Option<&impinge_scene>,
    near: *mut impinge_scene_near,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let state = shared(scene)?;
        let buffer = unsafe { Buffer::new(near, capacity, out_count) }?;
        buffer.fill(state.scene.near().iter().map(|near| {
            let [a, b] = near.bodies.map(|id| state.number(id));
            impinge_scene_near { a, b, began: near.began, distance: Some(near.gap).into() }
        }))
    })
}

/// Copies the pairs of bodies that were within the margin at the update before the last one, and no longer
/// are, into a buffer. They parted, or they meet; a body of such a pair may have been removed.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_scene_near_ended(
    scene: Option<&impinge_scene>,
    bodies: *mut impinge_pair,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let state = shared(scene)?;
        let buffer = unsafe { Buffer::new(bodies, capacity, out_count) }?;
        buffer.fill(state.scene.near_ended().iter().map(|ids| ids.map(|id| state.number(id)).into()))
    })
}

/// Finds the body that is nearest to each of many points, of three numbers each. It needs no update. NULL as
/// the accuracy is the default. Writes one result for each point.
///
/// Errors: a coordinate that is not finite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_scene_nearest_bodies(
    scene: Option<&mut impinge_scene>,
    points: *const f64,
    point_count: usize,
    accuracy: Option<&impinge_accuracy>,
    out_nearest: *mut impinge_scene_nearest,
) -> impinge_status {
    call(|| {
        let SceneState { scene, numbers, pool, .. } = exclusive(scene)?;
        let points = unsafe { finite_points(points, point_count) }?;
        let out = unsafe { results(out_nearest, point_count, "out_nearest") }?;
        let accuracy = self::accuracy(accuracy)?;
        let mut work = || {
            let nearest = scene.nearest_bodies(points, accuracy).iter().map(|nearest| {
                let body = nearest.map_or(0, |nearest| numbers[&nearest.body]);
                impinge_scene_nearest { body, closest: nearest.map(|nearest| nearest.closest).into() }
            });
            write_all(out, nearest);
        };
        match pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
        Ok(())
    })
}

/// Frees a scene with its bodies. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_scene_free(scene: *mut impinge_scene) {
    unsafe { free(scene) };
}
