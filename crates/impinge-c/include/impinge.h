// impinge: exact interference detection for triangle meshes and assemblies.
//
//     double points[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2};
//     uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
//     impinge_mesh *mesh;
//     if (impinge_mesh_new(points, 4, triangles, 4, &mesh) != IMPINGE_STATUS_OK) {
//         fprintf(stderr, "%s\n", impinge_last_error());
//     }
//
// Life of an object. A mesh is points and triangles. A model is a mesh with its tree, built once. A body is a
// model at a pose. A query answers questions about bodies; it owns the memory for that. Objects that others
// were made from can be freed at once: what needs them keeps them. Each function whose comment says so gives
// a handle that its caller frees, once; `_free` ignores NULL.
//
// Status. Functions that can fail return impinge_status. Results come last, behind pointers that must not be
// NULL; a new handle is NULL after an error. impinge_last_error() has the reason in words.
//
// Lists. A list to read is a pointer and a count. A list of unknown length goes into a buffer of yours: you
// give its capacity, and get the count. If the buffer is too small, the status is
// IMPINGE_STATUS_BUFFER_TOO_SMALL and the count is the one that you need. A buffer may be NULL if its
// capacity is 0. Results must not overlap each other or what the call reads; the poses of impinge_pose_*() may.
//
// Text is UTF-8 with a length in bytes; IMPINGE_CSTRING as the length is that of a text with a NUL at its end.
//
// Units. Lengths have the unit of your coordinates, times run from 0 to 1, angles are in radians. A number
// that is not exact is an interval around the true one. Verdicts are exact, or say that they are undecided.
//
// Threads. Meshes, models, bodies, assemblies and reports can be read by many threads at a time. A query or a
// scene works on one thread at a time. An object must not be changed or freed while another thread uses it.
// No function of yours is ever called.
//
// This file is written by cbindgen from crates/impinge-c: do not edit it. MIT or Apache-2.0.


#ifndef IMPINGE_H
#define IMPINGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The length of a text that ends with a NUL.
#define IMPINGE_CSTRING SIZE_MAX


/// The part of impinge_penetration() that is the volume in common.
#define IMPINGE_OVERLAP_VOLUME 1

/// The part that is the interference depth.
#define IMPINGE_INTERFERENCE_DEPTH 2

/// The part that is the depth of a corner.
#define IMPINGE_DEPTH_AT_LEAST 4

/// The part that is a separating translation and its length.
#define IMPINGE_SEPARATION 8

/// The result of a call. All but IMPINGE_STATUS_OK are errors: impinge_last_error() has the reason in words.
/// After an error results are not written, except where a comment says so.
typedef enum {
  /// Success.
  IMPINGE_STATUS_OK = 0,
  /// An argument is refused: NULL where an object is needed, a number that is NaN or out of range, a
  /// triangle without its vertex, text that is not UTF-8.
  IMPINGE_STATUS_INVALID_ARGUMENT = 1,
  /// The buffer is too small. The count is written; the items are those that there was room for.
  IMPINGE_STATUS_BUFFER_TOO_SMALL = 2,
  /// A handle was freed, or is of another type. Only a debug build of the library finds this.
  IMPINGE_STATUS_INVALID_HANDLE = 3,
  /// The query does not exist for such a body, such as the relation of a half-space.
  IMPINGE_STATUS_UNSUPPORTED = 4,
  /// A file cannot be opened, read or written.
  IMPINGE_STATUS_IO = 5,
  /// The content of a file, or of bytes, is not valid.
  IMPINGE_STATUS_INVALID_CONTENT = 6,
  /// impinge_stop_set() ended the work.
  IMPINGE_STATUS_STOPPED = 7,
  /// A defect of impinge: please report it. The handles of the call can only be freed.
  IMPINGE_STATUS_PANIC = 8,
} impinge_status;

/// Whether a mesh bounds a solid.
typedef enum {
  /// Every edge balances: the mesh bounds a solid.
  IMPINGE_CLOSEDNESS_CLOSED = 0,
  /// The mesh bounds a solid by parity alone: its triangles disagree about the front.
  IMPINGE_CLOSEDNESS_CLOSED_BY_EVEN_ODD = 1,
  /// A surface: some edges have a triangle on one side alone.
  IMPINGE_CLOSEDNESS_OPEN = 2,
  /// A surface that encloses nothing, as all triangles cancel each other.
  IMPINGE_CLOSEDNESS_NO_INTERIOR = 3,
} impinge_closedness;

/// Which points are inside of a closed mesh, by the number of times w that it winds around them.
typedef enum {
  /// Inside where w is not 0. The default.
  IMPINGE_FILL_RULE_NON_ZERO = 0,
  /// Inside where w > 0.
  IMPINGE_FILL_RULE_POSITIVE = 1,
  /// Inside where w is odd.
  IMPINGE_FILL_RULE_EVEN_ODD = 2,
} impinge_fill_rule;

/// The relation of two bodies as solids.
typedef enum {
  /// No point in common.
  IMPINGE_RELATION_KIND_APART = 0,
  /// Points of surfaces in common, none of the insides.
  IMPINGE_RELATION_KIND_TOUCH = 1,
  /// Both have inside points in common, and each has others of its own.
  IMPINGE_RELATION_KIND_OVERLAP = 2,
  /// The first body lies in the second.
  IMPINGE_RELATION_KIND_INSIDE = 3,
  /// The second body lies in the first.
  IMPINGE_RELATION_KIND_CONTAINS = 4,
  /// Both are the same set of points.
  IMPINGE_RELATION_KIND_DUPLICATE = 5,
  /// A surface without an inside crosses a solid.
  IMPINGE_RELATION_KIND_PIERCE = 6,
  /// A surface without an inside lies in a solid.
  IMPINGE_RELATION_KIND_SURFACE_INSIDE = 7,
  /// Two surfaces without an inside cross or touch.
  IMPINGE_RELATION_KIND_MEET = 8,
} impinge_relation_kind;

/// The side of a solid on which the points of a surface are measured.
typedef enum {
  /// All points.
  IMPINGE_SIDE_ANY = 0,
  /// The points inside the other body.
  IMPINGE_SIDE_INSIDE = 1,
  /// The points outside the other body.
  IMPINGE_SIDE_OUTSIDE = 2,
} impinge_side;

/// Whether a farthest distance exists.
typedef enum {
  /// The distance was found.
  IMPINGE_FARTHEST_KIND_FOUND = 0,
  /// No point of the surface is on that side, or a body has no triangles.
  IMPINGE_FARTHEST_KIND_NO_POINT = 1,
  /// A side is wanted, but the other mesh bounds no solid.
  IMPINGE_FARTHEST_KIND_NO_SOLID = 2,
} impinge_farthest_kind;

/// Whether curved bodies clash, of which the meshes are approximations.
typedef enum {
  /// The true bodies are certainly farther apart.
  IMPINGE_CERTAINTY_KIND_CLEAR = 0,
  /// The triangles determine neither.
  IMPINGE_CERTAINTY_KIND_POSSIBLE = 1,
  /// The true bodies are certainly that near, or overlap.
  IMPINGE_CERTAINTY_KIND_DEFINITE = 2,
} impinge_certainty_kind;

/// Where a point lies, as of a solid.
typedef enum {
  /// Inside the solid.
  IMPINGE_LOCATION_INSIDE = 0,
  /// Outside the solid.
  IMPINGE_LOCATION_OUTSIDE = 1,
  /// On a triangle.
  IMPINGE_LOCATION_ON_SURFACE = 2,
  /// The mesh is not closed, and the point is on no triangle.
  IMPINGE_LOCATION_UNDEFINED = 3,
} impinge_location;

/// The kind of result of a sweep.
typedef enum {
  /// No contact at any time.
  IMPINGE_SWEEP_KIND_CLEAR = 0,
  /// A contact, and none before `free_until`.
  IMPINGE_SWEEP_KIND_CONTACT = 1,
  /// Undecided: the bodies graze each other.
  IMPINGE_SWEEP_KIND_GRAZING = 2,
  /// Undecided: the sweep would take more than `most_intervals`.
  IMPINGE_SWEEP_KIND_BUDGET = 3,
} impinge_sweep_kind;

/// Whether elements cover a part.
typedef enum {
  /// Every point of the part is covered.
  IMPINGE_COVERAGE_KIND_COVERED = 0,
  /// The witness is not covered.
  IMPINGE_COVERAGE_KIND_UNCOVERED = 1,
  /// Neither is proved.
  IMPINGE_COVERAGE_KIND_UNDECIDED = 2,
} impinge_coverage_kind;

/// The results that an update computes for bodies that meet.
typedef enum {
  /// Only that they meet.
  IMPINGE_DETAIL_BODIES = 0,
  /// The number of pairs of triangles that meet.
  IMPINGE_DETAIL_COUNTS = 1,
  /// All pairs of triangles that meet.
  IMPINGE_DETAIL_TRIANGLES = 2,
  /// These, and the relation of both as solids. A body inside another is then a contact, too.
  IMPINGE_DETAIL_RELATIONS = 3,
} impinge_detail;

/// The kind of a finding.
typedef enum {
  /// Both parts have inside points in common, and each has others of its own.
  IMPINGE_FINDING_KIND_OVERLAP = 0,
  /// The first part lies in the second.
  IMPINGE_FINDING_KIND_INSIDE = 1,
  /// The second part lies in the first.
  IMPINGE_FINDING_KIND_CONTAINS = 2,
  /// Both parts are the same set of points.
  IMPINGE_FINDING_KIND_DUPLICATE = 3,
  /// A surface without an inside crosses a solid.
  IMPINGE_FINDING_KIND_PIERCE = 4,
  /// A surface without an inside lies in a solid.
  IMPINGE_FINDING_KIND_SURFACE_INSIDE = 5,
  /// Two surfaces meet.
  IMPINGE_FINDING_KIND_MEET = 6,
  /// The parts have points of their surfaces in common, none of their insides.
  IMPINGE_FINDING_KIND_TOUCH = 7,
  /// The parts do not meet, and are within the clearance.
  IMPINGE_FINDING_KIND_NEAR = 8,
  /// The mesh of one part meets itself.
  IMPINGE_FINDING_KIND_SELF_INTERSECTION = 9,
  /// A part touches nothing.
  IMPINGE_FINDING_KIND_FLOATING = 10,
  /// Another kind, which this version of the header has no name for.
  IMPINGE_FINDING_KIND_OTHER = 11,
} impinge_finding_kind;

/// Whether the true parts, which the triangles approximate, have the finding.
typedef enum {
  /// The check had no chord error.
  IMPINGE_SURE_UNKNOWN = 0,
  /// The triangles do not determine it.
  IMPINGE_SURE_POSSIBLE = 1,
  /// The true parts certainly have it.
  IMPINGE_SURE_DEFINITE = 2,
} impinge_sure;

/// Named parts, each a mesh at a pose: what impinge_check() takes.
typedef struct impinge_assembly impinge_assembly;

/// A model at a pose, perhaps with a radius; or a half-space. Queries read it: threads can share it, as long
/// as none changes it.
typedef struct impinge_body impinge_body;

/// A triangle mesh: a list of points and of triples of their indices, connected in any way. It never changes,
/// so that threads can share it.
typedef struct impinge_mesh impinge_mesh;

/// A mesh with a tree that makes queries fast. It never changes: any number of bodies, scenes and threads can
/// share it.
typedef struct impinge_model impinge_model;

/// The memory and settings of queries. Keep it: a query that has warmed up allocates nothing. Use it on one
/// thread at a time; each thread needs its own.
typedef struct impinge_query impinge_query;

/// The result of impinge_check(). It never changes, so that threads can share it.
typedef struct impinge_report impinge_report;

/// Many bodies, each a shared model at a pose, and their contacts. An update decides again only the pairs
/// that may have changed. Use a scene on one thread at a time.
typedef struct impinge_scene impinge_scene;

/// A flag that ends queries and checks early: they then return IMPINGE_STATUS_STOPPED. Any thread may set it.
typedef struct impinge_stop impinge_stop;

/// An interval that contains the true number. Both bounds are NaN if the number is unknown.
typedef struct {
  /// Lower bound.
  double lo;
  /// Upper bound.
  double hi;
} impinge_interval;

/// A model's mesh as a solid.
typedef struct {
  /// The least coordinates of its triangles, in the mesh's own frame; 0 without triangles.
  double lower[3];
  /// The greatest coordinates of its triangles.
  double upper[3];
  /// Whether it bounds a solid.
  impinge_closedness closedness;
  /// The number of edges that do not balance; 0 of a closed mesh.
  size_t open_edges;
  /// The number of connected shells.
  size_t shells;
  /// The volume that it winds around, negative if triangles face inwards. Unknown unless it is closed.
  impinge_interval volume;
} impinge_model_facts;

/// A pose: x is placed at R x + t. The twelve numbers are taken as exact.
///
/// R must be a rotation up to 1e-6: no entry of R^T R differs more from the identity, and it mirrors nothing.
/// impinge_pose_nearest_rigid() repairs a matrix that is further off by rounding.
///
/// The `_affine` functions of bodies, queries, scenes and assemblies allow affine poses: R then may scale,
/// shear and mirror, and only has to be invertible.
typedef struct {
  /// R, row by row.
  double rotation[3][3];
  /// t.
  double translation[3];
} impinge_pose;

/// A triangle of the first body and one of the second, by their numbers in the meshes. The triangle of a
/// half-space is 0.
typedef struct {
  /// The triangle of the first body.
  uint32_t a;
  /// The triangle of the second body.
  uint32_t b;
} impinge_pair;

/// One pair of triangles that meet, if there is one.
typedef struct {
  /// True if there is one.
  bool found;
  /// Triangles that meet; 0 and 0 if none do.
  impinge_pair pair;
} impinge_contact;

/// Where two triangles meet.
typedef struct {
  /// True if the triangles meet: exact. If not, the point is about midway between them.
  bool meets;
  /// A point of both, rounded: the middle of what they have in common.
  double point[3];
  /// The unit normal of the first triangle, counter-clockwise; NaN of a degenerate one.
  double normal_a[3];
  /// The unit normal of the second triangle.
  double normal_b[3];
} impinge_contact_point;

/// The accuracy of a distance. Start with impinge_accuracy_default().
typedef struct {
  /// The interval may be as wide as this part of the distance. 0: as narrow as floating point gives.
  double relative;
  /// The interval may be as wide as this length; with `relative` the wider one counts.
  double absolute;
  /// A distance greater than this is not found. INFINITY: no limit.
  double above;
  /// True for an interval of two neighbours in double, or one number; then the widths have no effect.
  bool exact;
  /// True if the distance of solids, one inside the other, is 0. It has no effect on a point.
  bool solids;
} impinge_accuracy;

/// The distance of two bodies.
typedef struct {
  /// False if a body has no triangles, or if the distance is greater than `above`: all else is 0 then.
  bool found;
  /// Lower bound of the distance.
  double lo;
  /// Upper bound of the distance. 0 if and only if the bodies meet.
  double hi;
  /// Triangles that are so near.
  impinge_pair triangles;
  /// The nearest point of the first body, rounded.
  double point_a[3];
  /// The nearest point of the second body, rounded.
  double point_b[3];
} impinge_distance_result;

/// The relation of two bodies as solids.
typedef struct {
  /// The relation of the first body to the second.
  impinge_relation_kind kind;
  /// True if the surfaces have a point in common.
  bool touching;
  /// Triangles that meet, if any were found.
  impinge_contact witness;
  /// Whether the first mesh bounds a solid.
  impinge_closedness closedness_a;
  /// Whether the second mesh bounds a solid.
  impinge_closedness closedness_b;
} impinge_relation_result;

/// Depths of the overlap of two bodies. What was not asked for, or is unknown, is NaN.
typedef struct {
  /// The volume of the points inside both bodies.
  impinge_interval overlap_volume;
  /// The greatest distance of a point of either surface, inside the other body, from the other's surface.
  impinge_interval interference_depth;
  /// A depth of some corner of one body in the other: a shorter translation leaves it inside.
  double depth_at_least;
  /// A translation of the second body after which no point is inside both.
  double separating_translation[3];
  /// The length of the shortest such translation.
  impinge_interval separating_distance;
} impinge_penetration_result;

/// The greatest distance of a point of the first surface from the second surface.
typedef struct {
  /// Whether the distance exists; all else is 0 if not.
  impinge_farthest_kind kind;
  /// Lower bound of the distance, which the points prove.
  double lo;
  /// Upper bound of the distance.
  double hi;
  /// The triangles of the points.
  impinge_pair triangles;
  /// A point of the first surface that is at least `lo` away from the second one.
  double point_a[3];
  /// The nearest point of the second surface that was found.
  double point_b[3];
} impinge_farthest_result;

/// Where the surfaces of two bodies meet.
typedef struct {
  /// The number of lines.
  size_t lines;
  /// The number of plane patches in which triangles of both lie on each other.
  size_t patches;
  /// The number of single points.
  size_t points;
  /// The length of all lines.
  impinge_interval length;
  /// The area of all patches.
  impinge_interval area;
} impinge_curves_result;

/// The nearest point of a body.
typedef struct {
  /// False if the body has no triangles, or if it is farther away than `above`: all else is 0 then.
  bool found;
  /// Lower bound of the distance.
  double lo;
  /// Upper bound of the distance.
  double hi;
  /// The triangle of the point.
  uint32_t triangle;
  /// The nearest point, rounded.
  double point[3];
} impinge_closest;

/// A ray: the points origin + t direction for 0 <= t <= t_max. The direction may have any length but 0;
/// t_max may be INFINITY.
typedef struct {
  /// The origin.
  double origin[3];
  /// The direction.
  double direction[3];
  /// The greatest t.
  double t_max;
} impinge_ray;

/// A triangle that a ray meets.
typedef struct {
  /// False if the ray meets no triangle: all else is 0 then.
  bool found;
  /// The triangle.
  uint32_t triangle;
  /// The least t at which the ray meets it.
  impinge_interval enter;
  /// The greatest t: equal to `enter`, unless the ray runs within the triangle for a while.
  impinge_interval leave;
  /// 1 if the ray leaves through the triangle's front, -1 if it enters through it, 0 if it only touches.
  int8_t crossing;
} impinge_ray_hit;

/// A half-space: all points x with normal . x <= offset.
typedef struct {
  /// The normal, of any length but 0, which points out of the half-space.
  double normal[3];
  /// The offset.
  double offset;
} impinge_plane;

/// Settings of sweeps. Start with impinge_sweep_options_default().
typedef struct {
  /// The greatest difference of `free_until` and `meets_at`, as a part of the time. 1e-9.
  double resolution;
  /// A length: times are not told apart if all points move less between them. 0: chosen from the sizes.
  double tolerance;
  /// The distance up to which bodies are in contact. 0.
  double margin;
  /// The most intervals of time that are examined. A million.
  uint64_t most_intervals;
  /// True if any contact is enough, and its time need not be the first. False.
  bool verdict_only;
  /// The time at which the sweep begins. 0.
  double after;
  /// The time at which the sweep ends. 1.
  double until;
} impinge_sweep_options;

/// The result of a sweep: a proof about two bodies in motion, for all times from 0 to 1.
typedef struct {
  /// The verdict.
  impinge_sweep_kind kind;
  /// There is no contact before this time; 1 if there is none at all.
  double free_until;
  /// A time at which there is a contact; NaN if none was found.
  double meets_at;
  /// Triangles that meet, or come near; 0 and 0 if all is clear.
  impinge_pair pair;
} impinge_sweep_result;

/// The exact first contact of a body that is shifted.
typedef struct {
  /// False if there is none: all else is 0 then.
  bool found;
  /// The greatest number up to the first time.
  double free_until;
  /// The least number from the first time on.
  double meets_at;
  /// The triangles that meet then.
  impinge_pair pair;
} impinge_shift_contact;

/// The least distance of two bodies over all times.
typedef struct {
  /// False if a body has no triangles: all else is 0 then.
  bool found;
  /// At no time are the bodies nearer than this.
  double lo;
  /// At some time they are no farther apart. 0 if and only if they come into contact.
  double hi;
  /// A time at which they are as near as `hi`.
  double at;
} impinge_least_gap_result;

/// Two bodies of a list.
typedef struct {
  /// The first body.
  const impinge_body *a;
  /// The second body.
  const impinge_body *b;
} impinge_body_pair;

/// A body and its path: see impinge_sweep(). It rests at its own pose if the path is empty.
typedef struct {
  /// The body.
  const impinge_body *body;
  /// The poses of the path, none or two and more.
  const impinge_pose *path;
  /// The number of these poses.
  size_t path_count;
} impinge_moving;

/// Two bodies that move.
typedef struct {
  /// The first body.
  impinge_moving a;
  /// The second body.
  impinge_moving b;
} impinge_moving_pair;

/// Settings of a proof of coverage. Start with impinge_coverage_options_default().
typedef struct {
  /// The width of the depth's interval, as a part of the depth. 1e-3.
  double accuracy;
  /// A length: pieces that stick out by less are divided no further. 0: chosen from the part's size.
  double tolerance;
  /// A length: each point of the part has to be so deep in one element. 0.
  double margin;
  /// The most pieces that are made. Ten million.
  uint64_t most_pieces;
  /// True if one uncovered point is enough. False.
  bool verdict_only;
} impinge_coverage_options;

/// Shapes that stand for a part together. Start with all bytes 0, which is no shape.
typedef struct {
  /// Balls, four numbers each: center and radius.
  const double *balls;
  /// The number of balls.
  size_t ball_count;
  /// Solid cylinders, seven numbers each: both ends of the axis, and the radius.
  const double *cylinders;
  /// The number of cylinders.
  size_t cylinder_count;
  /// Bodies, which may have a radius.
  const impinge_body *const *bodies;
  /// The number of bodies.
  size_t body_count;
} impinge_proxy;

/// The result of impinge_coverage().
typedef struct {
  /// The verdict.
  impinge_coverage_kind kind;
  /// The greatest distance of a point of the part from the elements.
  impinge_interval depth;
  /// A point of the part that sticks out most, as far as known; NaN without one.
  double witness[3];
  /// The number of pieces that were examined.
  uint64_t pieces;
} impinge_coverage_result;

/// Settings of impinge_excess() and impinge_proxy_volume(). Start with impinge_excess_options_default().
typedef struct {
  /// The width of the interval, as a part of its lower bound. 0.01.
  double accuracy;
  /// The most boxes that are examined; the interval then stays wider. 200,000.
  uint64_t most_cells;
} impinge_excess_options;

/// The result of impinge_excess().
typedef struct {
  /// The greatest distance of a point of the proxy from the part. It is 0 for points of the part, and for
  /// those inside if its mesh is closed. 0 without shapes, infinite for a part without triangles.
  impinge_interval distance;
  /// A point of the proxy that is as far from the part as the lower bound, rounded; NaN without one.
  double witness[3];
  /// The number of boxes that were examined.
  uint64_t cells;
} impinge_excess_result;

/// Two bodies of a scene that meet.
typedef struct {
  /// One body.
  uint32_t a;
  /// The other body.
  uint32_t b;
  /// True if they did not meet at the update before.
  bool began;
  /// Triangles that meet; not found if one is inside the other without contact.
  impinge_contact witness;
  /// The number of pairs of triangles that meet; 0 for IMPINGE_DETAIL_BODIES.
  uint64_t triangle_pairs;
  /// True if the relation is known: for IMPINGE_DETAIL_RELATIONS, unless a body has a radius.
  bool has_relation;
  /// The relation of `a` to `b`.
  impinge_relation_kind relation;
} impinge_scene_contact;

/// Two bodies of a scene that do not meet, but are within its margin.
typedef struct {
  /// One body.
  uint32_t a;
  /// The other body.
  uint32_t b;
  /// True if they were not near at the update before.
  bool began;
  /// Their distance.
  impinge_distance_result distance;
} impinge_scene_near;

/// The body of a scene that is nearest to a point.
typedef struct {
  /// The body; 0 if there is none.
  uint32_t body;
  /// Its nearest point.
  impinge_closest closest;
} impinge_scene_nearest;

/// The result of impinge_scene_sweep().
typedef struct {
  /// The result for the body that is met, or undecided, first. Its pair is a triangle of that body and one
  /// of the moving body.
  impinge_sweep_result sweep;
  /// True if there is such a body.
  bool found;
  /// Its id; 0 without one.
  uint32_t other;
} impinge_scene_sweep_result;

/// Settings of a check. Start with impinge_check_options_default(). Lengths are in the unit of the parts; a
/// negative one means none.
typedef struct {
  /// Pairs that do not meet, but are no further apart than this, are findings, too. -1.
  double clearance;
  /// Overlaps that a shift of this length removes are no findings. -1.
  double tolerance;
  /// The greatest distance of the true surfaces from the triangles: findings are then certain or possible.
  /// -1.
  double chord;
  /// True to compare surfaces only: no part is a solid. False.
  bool surfaces;
  /// True if parts that touch are findings, too. False.
  bool touching;
  /// True to measure the contacts of parts that touch, which some formats show. False.
  bool contacts;
  /// True to find parts that touch nothing. False.
  bool floating;
  /// True to find parts whose meshes meet themselves. False.
  bool self_intersections;
  /// True to measure volumes and depths of findings. True.
  bool depths;
  /// The points that are inside of a closed mesh. IMPINGE_FILL_RULE_NON_ZERO.
  impinge_fill_rule fill_rule;
  /// The number of threads; 0 is one for each core. 0.
  uint16_t threads;
  /// True if chord errors include the rounding of coordinates by the format of a file. False.
  bool rounding;
  /// The most pairs of parts that are tested; more are an error. Three million.
  uint64_t max_pairs;
  /// The unit of coordinates of files that state none, and of parts that were added: "mm", "m", "in" and
  /// others, in UTF-8. It changes no result, but reports state it. NULL for none. NULL.
  const char *unit;
  /// The length of the unit, or IMPINGE_CSTRING. 0.
  size_t unit_length;
  /// Rules in the language of impinge.toml, in UTF-8; NULL for none. NULL.
  const char *rules;
  /// The length of the rules, or IMPINGE_CSTRING. 0.
  size_t rules_length;
  /// A flag that ends the check: it then returns IMPINGE_STATUS_STOPPED. NULL.
  const impinge_stop *stop;
} impinge_check_options;

/// Numbers of a check: what was examined, and what not.
typedef struct {
  /// Parts.
  size_t parts;
  /// Pairs of parts that the check was about.
  uint64_t part_pairs;
  /// Pairs among these whose boxes meet.
  uint64_t boxes_overlap;
  /// Pairs among these whose triangles were tested.
  uint64_t tested;
  /// Pairs that were not examined. Unless it is 0, the check is incomplete.
  uint64_t not_examined;
  /// Parts of files that have no usable mesh. Unless it is 0, the check is incomplete.
  uint64_t parts_not_examined;
  /// Parts that bound no solid.
  uint64_t not_closed;
  /// Findings.
  size_t findings;
  /// Warnings: see impinge_report_warning().
  size_t warnings;
} impinge_coverage_counts;

/// One finding of a check. What was not measured is NaN.
typedef struct {
  /// Its kind: the relation of the first part to the second.
  impinge_finding_kind kind;
  /// Whether the true parts have it.
  impinge_sure sure;
  /// The first part, by its index in the assembly.
  uint32_t part_a;
  /// The second part; the same as the first for a finding about one part.
  uint32_t part_b;
  /// The index of its test in the rules; 0 without rules.
  uint32_t test;
  /// The number of pairs of triangles that meet.
  uint64_t triangle_pairs;
  /// A point of it, rounded.
  double point[3];
  /// The volume in common.
  impinge_interval overlap_volume;
  /// The depth of the surface of either part in the other.
  impinge_interval interference_depth;
  /// A translation of the second part that separates them.
  double separating_translation[3];
  /// The distance of near parts.
  impinge_interval distance;
} impinge_finding;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// The reason of the last error on this thread: UTF-8 in one line, ended by a NUL. Empty before the first
/// error. A call that succeeds does not change it.
///
/// The text belongs to the library. It is valid until the next error on this thread.
const char *impinge_last_error(void);

/// The name of a status, such as "buffer too small": ASCII, ended by a NUL, valid for ever.
const char *impinge_status_name(impinge_status status);

/// The version of the library, such as "0.1.0": ASCII, ended by a NUL, valid for ever.
const char *impinge_version(void);

/// Makes a mesh. Points are three numbers each, triangles three indices of points. Both are copied.
/// The unit of length is yours; lengths and distances of all results have it, volumes its cube.
///
/// Errors: a coordinate that is NaN or infinite, an index that is out of range, more than 2^27 triangles.
/// Free the mesh with impinge_mesh_free().
impinge_status impinge_mesh_new(const double *points,
                                size_t point_count,
                                const uint32_t *triangles,
                                size_t triangle_count,
                                impinge_mesh **out_mesh);

/// Makes a closed box around the origin, from its lengths along x, y and z.
///
/// Errors: a length that is not positive and finite. Free the mesh with impinge_mesh_free().
impinge_status impinge_mesh_new_box(double x, double y, double z, impinge_mesh **out_mesh);

/// Reads a file (STL, OBJ, PLY, OFF, glTF, GLB, 3MF, DAE, a bundle of impinge) and joins its parts to one
/// mesh, at their poses. To keep them apart, see impinge_assembly_read().
///
/// Errors: IMPINGE_STATUS_IO, IMPINGE_STATUS_INVALID_CONTENT. Free the mesh with impinge_mesh_free().
impinge_status impinge_mesh_read(const char *path,
                                 size_t path_length,
                                 impinge_mesh **out_mesh);

/// Reads the content of such a file. The extension, such as "stl", names its format; an empty one leaves that
/// to the content.
///
/// Errors: IMPINGE_STATUS_INVALID_CONTENT, an unknown extension. Free the mesh with impinge_mesh_free().
impinge_status impinge_mesh_parse(const uint8_t *bytes,
                                  size_t byte_count,
                                  const char *extension,
                                  size_t extension_length,
                                  impinge_mesh **out_mesh);

/// The numbers of points and of triangles.
impinge_status impinge_mesh_size(const impinge_mesh *mesh,
                                 size_t *out_points,
                                 size_t *out_triangles);

/// Copies the points into a buffer: three numbers each. Capacity and count are numbers of points.
impinge_status impinge_mesh_points(const impinge_mesh *mesh,
                                   double *points,
                                   size_t capacity,
                                   size_t *out_count);

/// Copies the triangles into a buffer: three indices each. Capacity and count are numbers of triangles.
impinge_status impinge_mesh_triangles(const impinge_mesh *mesh,
                                      uint32_t *triangles,
                                      size_t capacity,
                                      size_t *out_count);

/// Frees a mesh. Models and assemblies that were made from it stay valid. NULL is allowed.
void impinge_mesh_free(impinge_mesh *mesh);

/// Builds the tree of a mesh, in O(n log n). The model shares the mesh, which can be freed.
///
/// Free the model with impinge_model_free().
impinge_status impinge_model_new(const impinge_mesh *mesh, impinge_model **out_model);

/// Saves a model with its tree. The file appears whole or not at all.
///
/// Errors: IMPINGE_STATUS_IO.
impinge_status impinge_model_save(const impinge_model *model, const char *path, size_t path_length);

/// Opens a saved model. The file is mapped into memory, and nothing is built: do not change it while the
/// model is in use.
///
/// Errors: IMPINGE_STATUS_IO, IMPINGE_STATUS_INVALID_CONTENT. Free the model with impinge_model_free().
impinge_status impinge_model_open(const char *path,
                                  size_t path_length,
                                  impinge_model **out_model);

/// Computes what the mesh is as a solid. O(n log n) at the first call.
impinge_status impinge_model_get_facts(const impinge_model *model, impinge_model_facts *out_facts);

/// Frees a model. Bodies and scenes that have it stay valid. NULL is allowed.
void impinge_model_free(impinge_model *model);

/// Returns the pose that only translates. (0, 0, 0) gives the identity.
impinge_pose impinge_pose_at(double x, double y, double z);

/// Makes a pose from a quaternion (x, y, z, w), which may have any length but 0, and a translation of three
/// numbers. Rounded to double.
///
/// Errors: a number that is NaN or infinite, a quaternion of length 0.
impinge_status impinge_pose_from_quaternion(const double *quaternion,
                                            const double *translation,
                                            impinge_pose *out_pose);

/// Makes the nearest rigid pose of one whose rotation is off by rounding, such as a product of many.
///
/// Errors: a number that is NaN or infinite, a mirror, a matrix that is far from any rotation.
impinge_status impinge_pose_nearest_rigid(const impinge_pose *pose,
                                          impinge_pose *out_pose);

/// Composes two poses: first `pose`, then `next`. NULL is the identity. Rounded to double.
///
/// Errors: a pose that is not rigid, a number that is too large.
impinge_status impinge_pose_then(const impinge_pose *pose,
                                 const impinge_pose *next,
                                 impinge_pose *out_pose);

/// Inverts a pose. Rounded to double.
///
/// Errors: a pose that is not rigid, a number that is too large.
impinge_status impinge_pose_inverse(const impinge_pose *pose, impinge_pose *out_pose);

/// Makes a body. It shares the model, which can be freed. NULL as the pose is the identity.
///
/// Errors: a pose that is not rigid. Free the body with impinge_body_free().
impinge_status impinge_body_new(const impinge_model *model,
                                const impinge_pose *pose,
                                impinge_body **out_body);

/// Makes a body that takes affine poses, now and in impinge_body_set_pose(). NULL is the identity. A radius
/// is one in the world: the pose does not scale it.
///
/// Errors: a pose that is singular. Free the body with impinge_body_free().
impinge_status impinge_body_new_affine(const impinge_model *model,
                                       const impinge_pose *pose,
                                       impinge_body **out_body);

/// Makes the half-space of all points x with normal . x <= offset. The normal, three numbers, may have any
/// length but 0. Queries about pairs that meet, distances and sweeps take it as one of two bodies.
///
/// Errors: a number that is NaN or infinite, a normal of length 0. Free the body with impinge_body_free().
impinge_status impinge_body_new_half_space(const double *normal,
                                           double offset,
                                           impinge_body **out_body);

/// Moves a body. NULL is the identity.
///
/// Errors: a pose that is not rigid, or for a body of impinge_body_new_affine() is singular;
/// IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_body_set_pose(impinge_body *body, const impinge_pose *pose);

/// Sets the radius of a body, 0 at first: all points no farther than it from the triangles then belong to the
/// body. A mesh of one point is a sphere, one of a segment a capsule. Queries about solids and curves refuse
/// bodies with a radius.
///
/// Errors: a radius that is negative, NaN or more than 2^900; IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_body_set_radius(impinge_body *body,
                                       double radius);

/// Frees a body. NULL is allowed.
void impinge_body_free(impinge_body *body);

/// Makes a flag that is not set. Free it with impinge_stop_free().
impinge_status impinge_stop_new(impinge_stop **out_stop);

/// Sets or clears a flag. It must stay set until the work has returned.
impinge_status impinge_stop_set(const impinge_stop *stop, bool is_set);

/// Frees a flag. Queries that have it stay valid. NULL is allowed.
void impinge_stop_free(impinge_stop *stop);

/// Makes a query with the default settings: one thread, the fill rule NON_ZERO.
///
/// Free it with impinge_query_free().
impinge_status impinge_query_new(impinge_query **out_query);

/// Sets the number of threads that share queries at many poses, of many points or rays, and large pairs of
/// bodies. 1 is the calling thread, 0 one for each core. Results do not depend on it.
///
/// Errors: the system starts no threads.
impinge_status impinge_query_set_threads(impinge_query *query,
                                         uint16_t threads);

/// Sets the rule by which points are inside of solids.
impinge_status impinge_query_set_fill_rule(impinge_query *query, impinge_fill_rule rule);

/// Sets whether queries at many poses take affine ones. False at first. Paths in motion stay rigid.
impinge_status impinge_query_set_affine(impinge_query *query, bool affine);

/// Sets the flag that ends this query's work; NULL for none.
impinge_status impinge_query_set_stop(impinge_query *query, const impinge_stop *stop);

/// Frees a query. NULL is allowed.
void impinge_query_free(impinge_query *query);

/// Decides whether any triangles of two bodies meet. Touching triangles meet. A body inside another that
/// touches nothing does not: see impinge_relation().
///
/// The result is exact: it is that of the real numbers, for coordinates and poses as they are. The first body
/// must not be a half-space.
impinge_status impinge_intersects(impinge_query *query,
                                  const impinge_body *a,
                                  const impinge_body *b,
                                  bool *out_meet);

/// Decides impinge_intersects() for a body, which may be a half-space, and a model at each of many poses.
/// Writes one result for each pose.
impinge_status impinge_intersects_at(impinge_query *query,
                                     const impinge_body *a,
                                     const impinge_model *b,
                                     const impinge_pose *poses,
                                     size_t pose_count,
                                     bool *out_meet);

/// Finds a pair of triangles that meet. Which one is unspecified.
impinge_status impinge_first_contact(impinge_query *query,
                                     const impinge_body *a,
                                     const impinge_body *b,
                                     impinge_contact *out_contact);

/// Finds impinge_first_contact() of a body, which may be a half-space, and a model at each of many poses.
/// Writes one result for each pose.
impinge_status impinge_first_contact_at(impinge_query *query,
                                        const impinge_body *a,
                                        const impinge_model *b,
                                        const impinge_pose *poses,
                                        size_t pose_count,
                                        impinge_contact *out_contacts);

/// Finds all pairs of triangles that meet, sorted. There may be as many as the product of both numbers of
/// triangles.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL. A capacity of 0 only counts, without memory for a list.
impinge_status impinge_pairs(impinge_query *query,
                             const impinge_body *a,
                             const impinge_body *b,
                             impinge_pair *pairs,
                             size_t capacity,
                             size_t *out_count);

/// Finds impinge_pairs() of a body, which may be a half-space, and a model at each of many poses: one list
/// after the other. For each pose, `out_ends` gets the number of pairs of it and of all poses before.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL; `out_ends` is then written, too.
impinge_status impinge_pairs_at(impinge_query *query,
                                const impinge_body *a,
                                const impinge_model *b,
                                const impinge_pose *poses,
                                size_t pose_count,
                                size_t *out_ends,
                                impinge_pair *pairs,
                                size_t capacity,
                                size_t *out_count);

/// Finds all pairs of triangles of one mesh that meet elsewhere than in common corners and edges, sorted;
/// the smaller number of each pair comes first.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL. A capacity of 0 only counts, without memory for a list.
impinge_status impinge_self_pairs(impinge_query *query,
                                  const impinge_model *model,
                                  impinge_pair *pairs,
                                  size_t capacity,
                                  size_t *out_count);

/// Finds a pair of triangles of one mesh that meet elsewhere than in common corners and edges. Which one is
/// unspecified.
impinge_status impinge_self_first_contact(impinge_query *query,
                                          const impinge_model *model,
                                          impinge_contact *out_contact);

/// Decides whether a mesh meets itself elsewhere than in common corners and edges.
impinge_status impinge_self_intersects(impinge_query *query,
                                       const impinge_model *model,
                                       bool *out_meet);

/// Computes a point and normals for each of many pairs of triangles, such as those of impinge_pairs(). Writes
/// one result for each pair.
///
/// Errors: a triangle that does not exist; IMPINGE_STATUS_UNSUPPORTED for a half-space. Radii do not count.
impinge_status impinge_contact_points(const impinge_body *a,
                                      const impinge_body *b,
                                      const impinge_pair *pairs,
                                      size_t pair_count,
                                      impinge_contact_point *out_points);

/// Returns the default accuracy: all that floating point gives, without a limit.
impinge_accuracy impinge_accuracy_default(void);

/// Decides, exactly, whether two bodies are no further apart than a margin.
///
/// Errors: a margin that is negative, infinite or NaN.
impinge_status impinge_within(impinge_query *query,
                              const impinge_body *a,
                              const impinge_body *b,
                              double margin,
                              bool *out_near);

/// Finds a pair of triangles no further apart than a margin. Which one is unspecified.
///
/// Errors: a margin that is negative, infinite or NaN.
impinge_status impinge_first_within(impinge_query *query,
                                    const impinge_body *a,
                                    const impinge_body *b,
                                    double margin,
                                    impinge_contact *out_contact);

/// Decides impinge_within() for a body, which may be a half-space, and a model at each of many poses. Writes
/// one result for each pose.
impinge_status impinge_within_at(impinge_query *query,
                                 const impinge_body *a,
                                 const impinge_model *b,
                                 const impinge_pose *poses,
                                 size_t pose_count,
                                 double margin,
                                 bool *out_near);

/// Finds all pairs of triangles no further apart than a margin, sorted.
///
/// Errors: a margin that is negative, infinite or NaN; IMPINGE_STATUS_BUFFER_TOO_SMALL. A capacity of 0 only
/// counts, without memory for a list.
impinge_status impinge_pairs_within(impinge_query *query,
                                    const impinge_body *a,
                                    const impinge_body *b,
                                    double margin,
                                    impinge_pair *pairs,
                                    size_t capacity,
                                    size_t *out_count);

/// Computes the distance of two bodies. NULL as the accuracy is the default.
///
/// Errors: an accuracy that is negative or NaN.
impinge_status impinge_distance(impinge_query *query,
                                const impinge_body *a,
                                const impinge_body *b,
                                const impinge_accuracy *accuracy,
                                impinge_distance_result *out_distance);

/// Computes impinge_distance() of a body, which may be a half-space, and a model at each of many poses.
/// Writes one result for each pose.
impinge_status impinge_distance_at(impinge_query *query,
                                   const impinge_body *a,
                                   const impinge_model *b,
                                   const impinge_pose *poses,
                                   size_t pose_count,
                                   const impinge_accuracy *accuracy,
                                   impinge_distance_result *out_distances);

/// Decides the relation of two bodies as solids, exactly.
///
/// Errors: IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body with a radius.
impinge_status impinge_relation(impinge_query *query,
                                const impinge_body *a,
                                const impinge_body *b,
                                impinge_relation_result *out_relation);

/// Decides impinge_relation() for a body and a model at each of many poses. Writes one result for each pose.
impinge_status impinge_relation_at(impinge_query *query,
                                   const impinge_body *a,
                                   const impinge_model *b,
                                   const impinge_pose *poses,
                                   size_t pose_count,
                                   impinge_relation_result *out_relations);

/// Decides whether the insides of two bodies have a point in common, or a surface a point inside of a solid.
/// Touching does not count; containment does.
///
/// Errors: as impinge_relation().
impinge_status impinge_overlaps(impinge_query *query,
                                const impinge_body *a,
                                const impinge_body *b,
                                bool *out_overlap);

/// Measures the overlap of two bodies. `parts` is a sum of IMPINGE_OVERLAP_VOLUME,
/// IMPINGE_INTERFERENCE_DEPTH, IMPINGE_DEPTH_AT_LEAST and IMPINGE_SEPARATION.
///
/// Errors: an unknown part; IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body with a radius.
impinge_status impinge_penetration(impinge_query *query,
                                   const impinge_body *a,
                                   const impinge_body *b,
                                   uint32_t parts,
                                   impinge_penetration_result *out_penetration);

/// Computes the greatest distance of points of the first body's surface from the second body's surface: the
/// one-sided Hausdorff distance, or how deep a surface is in a solid. NULL as the accuracy is the default;
/// only its fields `relative` and `absolute` have an effect.
///
/// Errors: an unknown side, an accuracy that is negative or NaN; IMPINGE_STATUS_UNSUPPORTED for a half-space,
/// or a body with a radius.
impinge_status impinge_farthest_distance(impinge_query *query,
                                         const impinge_body *a,
                                         const impinge_body *b,
                                         impinge_side side,
                                         const impinge_accuracy *accuracy,
                                         impinge_farthest_result *out_farthest);

/// Decides whether the curved bodies come as near as a clearance, given how far the true surface of each may
/// be from its triangles (chord errors).
///
/// Errors: a length that is negative, infinite or NaN; IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body
/// with a radius.
impinge_status impinge_certainty(impinge_query *query,
                                 const impinge_body *a,
                                 const impinge_body *b,
                                 double chord_a,
                                 double chord_b,
                                 double clearance,
                                 impinge_certainty_kind *out_certainty);

/// Computes the lines along which the surfaces of two bodies meet.
///
/// `points` gets the points of the lines, one line after the other, three numbers each; capacity and count
/// are numbers of points. A closed line repeats its first point at its end. `ends` gets the number of points
/// of each line and of all before. Coordinates are those of the true points, rounded once.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL, with both counts and the result written;
/// IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body with a radius.
impinge_status impinge_curves(impinge_query *query,
                              const impinge_body *a,
                              const impinge_body *b,
                              impinge_curves_result *out_curves,
                              double *points,
                              size_t point_capacity,
                              size_t *out_point_count,
                              size_t *ends,
                              size_t end_capacity,
                              size_t *out_end_count);

/// Finds the nearest point of a body for each of many points, of three numbers each. NULL as the accuracy is
/// the default. Writes one result for each point.
///
/// Errors: a coordinate that is not finite; IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_closest_points(impinge_query *query,
                                      const impinge_body *body,
                                      const double *points,
                                      size_t point_count,
                                      const impinge_accuracy *accuracy,
                                      impinge_closest *out_closest);

/// Decides where each of many points lies, exactly. Writes one result for each point.
///
/// Errors: a coordinate that is not finite; IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_locate(impinge_query *query,
                              const impinge_body *body,
                              const double *points,
                              size_t point_count,
                              impinge_location *out_locations);

/// Finds the first triangle that each of many rays meets. Writes one result for each ray.
///
/// Errors: a ray that has no direction, or a NaN; IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body with
/// a radius.
impinge_status impinge_ray_first(impinge_query *query,
                                 const impinge_body *body,
                                 const impinge_ray *rays,
                                 size_t ray_count,
                                 impinge_ray_hit *out_hits);

/// Decides whether each of many rays meets a body. Writes one result for each ray. Errors as
/// impinge_ray_first().
impinge_status impinge_ray_meets(impinge_query *query,
                                 const impinge_body *body,
                                 const impinge_ray *rays,
                                 size_t ray_count,
                                 bool *out_meet);

/// Finds all triangles that a ray meets, in the order of the ray.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL, and those of impinge_ray_first().
impinge_status impinge_ray_all(impinge_query *query,
                               const impinge_body *body,
                               const impinge_ray *ray,
                               impinge_ray_hit *hits,
                               size_t capacity,
                               size_t *out_count);

/// Finds the triangles of a body in the intersection of half-spaces, such as a box or a frustum, sorted.
/// `whole` asks for triangles that lie in it wholly; else one point in it is enough.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL, a plane without a normal; IMPINGE_STATUS_UNSUPPORTED for a
/// half-space, or a body with a radius.
impinge_status impinge_triangles_in(impinge_query *query,
                                    const impinge_body *body,
                                    const impinge_plane *planes,
                                    size_t plane_count,
                                    bool whole,
                                    uint32_t *triangles,
                                    size_t capacity,
                                    size_t *out_count);

/// Returns the default settings of sweeps.
impinge_sweep_options impinge_sweep_options_default(void);

/// Finds the first contact of two bodies that move from time 0 to time 1, proved for all times between.
///
/// Each body moves through the poses of its path, two or more, in equal times: along a straight line and
/// about an axis of constant direction from one to the next. A body with an empty path rests at its own pose.
/// The first body may be a half-space, at rest. Bodies are surfaces: one that starts inside the other is in
/// no contact.
///
/// Errors: a path of one pose, a pose that is not rigid, a setting that is out of range.
impinge_status impinge_sweep(impinge_query *query,
                             const impinge_body *a,
                             const impinge_pose *path_a,
                             size_t path_a_count,
                             const impinge_body *b,
                             const impinge_pose *path_b,
                             size_t path_b_count,
                             const impinge_sweep_options *options,
                             impinge_sweep_result *out_sweep);

/// Finds impinge_sweep() of a body at rest and a model along each of many paths, from one pose to another.
/// Writes one result for each path.
///
/// Errors: as impinge_sweep(); IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_sweep_at(impinge_query *query,
                                const impinge_body *a,
                                const impinge_model *b,
                                const impinge_pose *starts,
                                const impinge_pose *ends,
                                size_t path_count,
                                const impinge_sweep_options *options,
                                impinge_sweep_result *out_sweeps);

/// Finds the exact first contact of a body at rest and another one that is shifted: at time t, from 0 to 1, by
/// t times three numbers. It also decides where bodies graze each other, which impinge_sweep() leaves open.
///
/// Errors: a number that is not finite or more than 2^300; IMPINGE_STATUS_UNSUPPORTED for a half-space, or a
/// body with a radius.
impinge_status impinge_first_shift_contact(impinge_query *query,
                                           const impinge_body *a,
                                           const impinge_body *b,
                                           const double *by,
                                           impinge_shift_contact *out_contact);

/// Computes the least distance of two bodies in motion over all times. Paths are those of impinge_sweep().
/// The margin of the settings is not used.
///
/// Errors: as impinge_sweep(); IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_least_gap(impinge_query *query,
                                 const impinge_body *a,
                                 const impinge_pose *path_a,
                                 size_t path_a_count,
                                 const impinge_body *b,
                                 const impinge_pose *path_b,
                                 size_t path_b_count,
                                 const impinge_sweep_options *options,
                                 impinge_least_gap_result *out_gap);

/// Decides impinge_intersects() for each of many pairs of bodies. Writes one result for each pair.
///
/// Errors: IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_intersects_each(impinge_query *query,
                                       const impinge_body_pair *pairs,
                                       size_t pair_count,
                                       bool *out_meet);

/// Finds impinge_first_contact() of each of many pairs of bodies. Writes one result for each pair.
///
/// Errors: IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_first_contact_each(impinge_query *query,
                                          const impinge_body_pair *pairs,
                                          size_t pair_count,
                                          impinge_contact *out_contacts);

/// Finds impinge_pairs() of each of many pairs of bodies: one list after the other. For each pair of bodies,
/// `out_ends` gets the number of pairs of triangles of it and of all before.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL, with `out_ends` written; IMPINGE_STATUS_UNSUPPORTED for a
/// half-space.
impinge_status impinge_pairs_each(impinge_query *query,
                                  const impinge_body_pair *pairs,
                                  size_t pair_count,
                                  size_t *out_ends,
                                  impinge_pair *triangle_pairs,
                                  size_t capacity,
                                  size_t *out_count);

/// Decides impinge_relation() of each of many pairs of bodies. Writes one result for each pair.
///
/// Errors: IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body with a radius.
impinge_status impinge_relation_each(impinge_query *query,
                                     const impinge_body_pair *pairs,
                                     size_t pair_count,
                                     impinge_relation_result *out_relations);

/// Computes impinge_distance() of each of many pairs of bodies. NULL as the accuracy is the default. Writes
/// one result for each pair.
///
/// Errors: an accuracy that is negative or NaN; IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_distance_each(impinge_query *query,
                                     const impinge_body_pair *pairs,
                                     size_t pair_count,
                                     const impinge_accuracy *accuracy,
                                     impinge_distance_result *out_distances);

/// Finds impinge_sweep() of each of many pairs of bodies in motion. Writes one result for each pair.
///
/// Errors: as impinge_sweep(); IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_sweep_each(impinge_query *query,
                                  const impinge_moving_pair *pairs,
                                  size_t pair_count,
                                  const impinge_sweep_options *options,
                                  impinge_sweep_result *out_sweeps);

/// Returns the default settings of coverage.
impinge_coverage_options impinge_coverage_options_default(void);

/// Proves whether a proxy covers a part.
///
/// Errors: a shape with a number that is not finite or a negative radius, a setting that is out of range;
/// IMPINGE_STATUS_UNSUPPORTED for a half-space, or a part with a radius.
impinge_status impinge_coverage(impinge_query *query,
                                const impinge_body *part,
                                const impinge_proxy *proxy,
                                const impinge_coverage_options *options,
                                impinge_coverage_result *out_coverage);

/// Returns the default settings of excess.
impinge_excess_options impinge_excess_options_default(void);

/// Computes how far a proxy reaches beyond a part.
///
/// Errors: as impinge_coverage().
impinge_status impinge_excess(impinge_query *query,
                              const impinge_body *part,
                              const impinge_proxy *proxy,
                              const impinge_excess_options *options,
                              impinge_excess_result *out_excess);

/// Computes the volume of the union of a proxy's shapes, with their insides. The upper bound is infinite for
/// coordinates that are too large.
///
/// Errors: as impinge_coverage().
impinge_status impinge_proxy_volume(impinge_query *query,
                                    const impinge_proxy *proxy,
                                    const impinge_excess_options *options,
                                    impinge_interval *out_volume);

/// Computes the distance of each of many points, of three numbers each, from a proxy. Writes one result for
/// each point.
///
/// Inside of a shape it is negative: less the depth in the deepest one. The lower bound is then -INFINITY for
/// a mesh that is not convex. Both bounds are INFINITY for a proxy without shapes.
///
/// Errors: a coordinate that is not finite, and those of impinge_coverage().
impinge_status impinge_point_depths(impinge_query *query,
                                    const impinge_proxy *proxy,
                                    const double *points,
                                    size_t point_count,
                                    impinge_interval *out_distances);

/// Makes a scene without bodies. Free it with impinge_scene_free().
impinge_status impinge_scene_new(impinge_scene **out_scene);

/// Makes a scene without bodies whose updates run on this number of threads; 0 is one for each core. Results
/// do not depend on it. Free the scene with impinge_scene_free().
///
/// Errors: the system starts no threads.
impinge_status impinge_scene_new_threaded(uint16_t threads,
                                          impinge_scene **out_scene);

/// Sets whether later calls take affine poses. False at first.
impinge_status impinge_scene_set_affine(impinge_scene *scene, bool affine);

/// Adds a body, and writes its id. It shares the model, which can be freed. NULL as the pose is the identity.
/// Ids are 0, 1, 2 and so on; none is given twice.
///
/// Errors: a pose that is not rigid.
impinge_status impinge_scene_add(impinge_scene *scene,
                                 const impinge_model *model,
                                 const impinge_pose *pose,
                                 uint32_t *out_body);

/// Adds the half-space of all points x with normal . x <= offset, and writes its id. Its triangle in contacts
/// is 0.
///
/// Errors: a number that is NaN or infinite, a normal of length 0.
impinge_status impinge_scene_add_half_space(impinge_scene *scene,
                                            const double *normal,
                                            double offset,
                                            uint32_t *out_body);

/// Removes a body.
///
/// Errors: the scene has no such body.
impinge_status impinge_scene_remove(impinge_scene *scene, uint32_t body);

/// Moves a body. NULL is the identity.
///
/// Errors: the scene has no such body, a pose that is not rigid; IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_scene_set_pose(impinge_scene *scene,
                                      uint32_t body,
                                      const impinge_pose *pose);

/// Sets the radius of a body: see impinge_body_set_radius().
///
/// Errors: the scene has no such body, a radius that is negative, NaN or more than 2^900;
/// IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_scene_set_radius(impinge_scene *scene, uint32_t body, double radius);

/// Sets the groups of a body and those that it is tested against, a bit for each. Two bodies are tested if
/// each is in a group of the other's mask. At first all bits are set.
///
/// Errors: the scene has no such body.
impinge_status impinge_scene_set_filter(impinge_scene *scene,
                                        uint32_t body,
                                        uint32_t groups,
                                        uint32_t mask);

/// Allows or forbids two bodies to meet: a pair that is allowed to is not tested.
///
/// Errors: the scene has no such body.
impinge_status impinge_scene_set_allowed(impinge_scene *scene,
                                         uint32_t a,
                                         uint32_t b,
                                         bool allowed);

/// Sets the margin up to which impinge_scene_near_pairs() lists bodies that do not meet. 0 at first: none.
///
/// Errors: a margin that is negative, infinite or NaN.
impinge_status impinge_scene_set_margin(impinge_scene *scene,
                                        double margin);

/// Sets the flag that ends updates; NULL for none.
impinge_status impinge_scene_set_stop(impinge_scene *scene, const impinge_stop *stop);

/// Finds the contacts of all bodies, and which began or ended since the last update.
///
/// Errors: IMPINGE_STATUS_STOPPED. There are no contacts then; the next update continues from here, and
/// compares with the last one that was completed.
impinge_status impinge_scene_update(impinge_scene *scene,
                                    impinge_detail detail);

/// Copies the contacts of the last update into a buffer, sorted by their bodies' places in the scene.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL.
impinge_status impinge_scene_contacts(const impinge_scene *scene,
                                      impinge_scene_contact *contacts,
                                      size_t capacity,
                                      size_t *out_count);

/// Copies the pairs of triangles of a contact of the last update into a buffer, sorted. `index` is that of
/// the contact in the list of impinge_scene_contacts().
///
/// Errors: there is no such contact, the update was of IMPINGE_DETAIL_BODIES or IMPINGE_DETAIL_COUNTS,
/// IMPINGE_STATUS_BUFFER_TOO_SMALL.
impinge_status impinge_scene_contact_pairs(const impinge_scene *scene,
                                           size_t index,
                                           impinge_pair *pairs,
                                           size_t capacity,
                                           size_t *out_count);

/// Copies the contacts that ended with the last update into a buffer, as pairs of ids. A body of such a pair
/// may have been removed.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL.
impinge_status impinge_scene_ended(const impinge_scene *scene,
                                   impinge_pair *bodies,
                                   size_t capacity,
                                   size_t *out_count);

/// Copies the pairs of bodies within the margin at the last update into a buffer.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL.
impinge_status impinge_scene_near_pairs(const impinge_scene *scene,
                                        impinge_scene_near *near,
                                        size_t capacity,
                                        size_t *out_count);

/// Copies the pairs of bodies that were within the margin at the update before the last one, and no longer
/// are, into a buffer. They parted, or they meet; a body of such a pair may have been removed.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL.
impinge_status impinge_scene_near_ended(const impinge_scene *scene,
                                        impinge_pair *bodies,
                                        size_t capacity,
                                        size_t *out_count);

/// Finds the body that is nearest to each of many points, of three numbers each. It needs no update. NULL as
/// the accuracy is the default. Writes one result for each point.
///
/// Errors: a coordinate that is not finite.
impinge_status impinge_scene_nearest_bodies(impinge_scene *scene,
                                            const double *points,
                                            size_t point_count,
                                            const impinge_accuracy *accuracy,
                                            impinge_scene_nearest *out_nearest);

/// Frees a scene with its bodies. NULL is allowed.
void impinge_scene_free(impinge_scene *scene);

/// Gives a body another model, which it shares.
///
/// Errors: the scene has no such body; IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_scene_set_model(impinge_scene *scene,
                                       uint32_t body,
                                       const impinge_model *model);

/// Moves all points of a body's mesh, three numbers each. The tree is adapted, which takes less time than to
/// build it, or built again where that pays. Other bodies of the same model keep their shape.
///
/// Errors: the scene has no such body, another number of points than the mesh has, a coordinate that is not
/// finite; IMPINGE_STATUS_UNSUPPORTED for a half-space. The body is then as before.
impinge_status impinge_scene_deform(impinge_scene *scene,
                                    uint32_t body,
                                    const double *points,
                                    size_t point_count);

/// Moves a half-space: to all points x with normal . x <= offset.
///
/// Errors: the scene has no such body, a number that is NaN or infinite, a normal of length 0;
/// IMPINGE_STATUS_UNSUPPORTED for a body with a mesh.
impinge_status impinge_scene_set_half_space(impinge_scene *scene,
                                            uint32_t body,
                                            const double *normal,
                                            double offset);

/// Sets the margin of one body, in place of that of impinge_scene_set_margin(); a negative one removes it.
///
/// Errors: the scene has no such body, a margin that is infinite or NaN.
impinge_status impinge_scene_set_body_margin(impinge_scene *scene,
                                             uint32_t body,
                                             double margin);

/// Sets the margin of a pair of bodies, in place of all others; a negative one removes it.
///
/// Errors: the scene has no such body, a margin that is infinite or NaN.
impinge_status impinge_scene_set_pair_margin(impinge_scene *scene,
                                             uint32_t a,
                                             uint32_t b,
                                             double margin);

/// Finds the first contact of a body that moves along a path, as in impinge_sweep(), while all others rest.
///
/// The body's own pose is not used, and the scene does not change. Filters, allowed pairs and radii count.
/// The margin is that of the settings.
///
/// Errors: the scene has no such body, a path of fewer than two poses, a pose that is not rigid, a setting
/// that is out of range; IMPINGE_STATUS_UNSUPPORTED for a half-space.
impinge_status impinge_scene_sweep(const impinge_scene *scene,
                                   impinge_query *query,
                                   uint32_t body,
                                   const impinge_pose *path,
                                   size_t path_count,
                                   const impinge_sweep_options *options,
                                   impinge_scene_sweep_result *out_sweep);

/// Makes an assembly without parts. Free it with impinge_assembly_free().
impinge_status impinge_assembly_new(impinge_assembly **out_assembly);

/// Reads a file (STL, OBJ, PLY, OFF, glTF, GLB, 3MF, DAE, a bundle of impinge) or a folder of such files, and
/// appends its parts.
///
/// Errors: IMPINGE_STATUS_IO, IMPINGE_STATUS_INVALID_CONTENT; the assembly is then as before.
impinge_status impinge_assembly_read(impinge_assembly *assembly,
                                     const char *path,
                                     size_t path_length);

/// Reads the content of such a file, and appends its parts. The extension, such as "glb", names its format;
/// an empty one leaves that to the content.
///
/// Errors: IMPINGE_STATUS_INVALID_CONTENT, an unknown extension; the assembly is then as before.
impinge_status impinge_assembly_parse(impinge_assembly *assembly,
                                      const uint8_t *bytes,
                                      size_t byte_count,
                                      const char *extension,
                                      size_t extension_length);

/// Appends a part with a name. It shares the mesh, which can be freed. NULL as the pose is the identity.
///
/// Errors: a pose that is not rigid.
impinge_status impinge_assembly_add(impinge_assembly *assembly,
                                    const char *name,
                                    size_t name_length,
                                    const impinge_mesh *mesh,
                                    const impinge_pose *pose);

/// Appends a part at an affine pose. One that is not rigid is applied to a copy of the mesh, with rounded
/// coordinates.
///
/// Errors: a pose that is singular, a coordinate that becomes too large.
impinge_status impinge_assembly_add_affine(impinge_assembly *assembly,
                                           const char *name,
                                           size_t name_length,
                                           const impinge_mesh *mesh,
                                           const impinge_pose *pose);

/// The number of parts.
impinge_status impinge_assembly_part_count(const impinge_assembly *assembly, size_t *out_count);

/// Copies the name of a part into a buffer, with a NUL at its end that does not count.
///
/// Errors: there is no such part, IMPINGE_STATUS_BUFFER_TOO_SMALL.
impinge_status impinge_assembly_part_name(const impinge_assembly *assembly,
                                          size_t index,
                                          char *name,
                                          size_t capacity,
                                          size_t *out_length);

/// Makes a handle of the mesh of a part, which it shares. Free the mesh with impinge_mesh_free().
///
/// Errors: there is no such part.
impinge_status impinge_assembly_part_mesh(const impinge_assembly *assembly,
                                          size_t index,
                                          impinge_mesh **out_mesh);

/// Frees an assembly. Reports about it stay valid. NULL is allowed.
void impinge_assembly_free(impinge_assembly *assembly);

/// Returns the default settings of checks.
impinge_check_options impinge_check_options_default(void);

/// Checks all pairs of an assembly's parts, exactly. NULL as the options are the default ones.
///
/// Errors: an option that is out of range, rules that are not valid, files with units that contradict each
/// other, more than `max_pairs` pairs to test; IMPINGE_STATUS_STOPPED. Free the report with
/// impinge_report_free().
impinge_status impinge_check(const impinge_assembly *assembly,
                             const impinge_check_options *options,
                             impinge_report **out_report);

/// Reads the numbers of a check.
impinge_status impinge_report_counts(const impinge_report *report,
                                     impinge_coverage_counts *out_counts);

/// Copies the findings into a buffer, the gravest first.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL.
impinge_status impinge_report_findings(const impinge_report *report,
                                       impinge_finding *findings,
                                       size_t capacity,
                                       size_t *out_count);

/// Copies a warning into a buffer, with a NUL at its end that does not count: "file: place: text".
///
/// Errors: there is no such warning, IMPINGE_STATUS_BUFFER_TOO_SMALL.
impinge_status impinge_report_warning(const impinge_report *report,
                                      size_t index,
                                      char *warning,
                                      size_t capacity,
                                      size_t *out_length);

/// Writes a report to a file, which appears whole or not at all. The format is "table", "json", "html",
/// "csv", "markdown", "junit", "dot", "bcf", "navisworks", "glb" or "xlsx"; empty: that of the path's
/// extension.
///
/// Errors: an unknown format, IMPINGE_STATUS_IO.
impinge_status impinge_report_save(const impinge_report *report,
                                   const char *format,
                                   size_t format_length,
                                   const char *path,
                                   size_t path_length);

/// Writes a report in a format of impinge_report_save() into a buffer of bytes.
///
/// Errors: an unknown format, IMPINGE_STATUS_BUFFER_TOO_SMALL. Each call writes the whole report again: begin
/// with a large buffer.
impinge_status impinge_report_write(const impinge_report *report,
                                    const char *format,
                                    size_t format_length,
                                    uint8_t *bytes,
                                    size_t capacity,
                                    size_t *out_count);

/// Frees a report. NULL is allowed.
void impinge_report_free(impinge_report *report);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* IMPINGE_H */
