// Queries of many pairs of bodies, and affine poses: with good arguments, and with bad ones.
#include "test.h"
#include <math.h>

static const impinge_status UNSUPPORTED = IMPINGE_STATUS_UNSUPPORTED;
static const impinge_status SMALL = IMPINGE_STATUS_BUFFER_TOO_SMALL;
static impinge_query *query;
static impinge_model *cube;
static impinge_body *a, *b, *far_away, *rounded, *floor_body;

static void make(void) {
    impinge_mesh *mesh;
    const double up[] = {0, 0, 1};
    impinge_pose near_pose = impinge_pose_at(1, 0.5, 0.25), far_pose = impinge_pose_at(5, 0, 0);
    OK(impinge_query_new(&query));
    OK(impinge_mesh_new_box(2, 2, 2, &mesh));
    OK(impinge_model_new(mesh, &cube));
    impinge_mesh_free(mesh);
    OK(impinge_body_new(cube, NULL, &a));
    OK(impinge_body_new(cube, &near_pose, &b));
    OK(impinge_body_new(cube, &far_pose, &far_away));
    OK(impinge_body_new(cube, &far_pose, &rounded));
    OK(impinge_body_set_radius(rounded, 3));
    OK(impinge_body_new_half_space(up, -2, &floor_body));
}

// A query of many pairs refuses NULL, and a wrong body with its place. The last arguments are its results.
#define REFUSES(name, ...)                                                                                   \
    do {                                                                                                     \
        impinge_body_pair wrong[] = {{a, b}, {a, NULL}}, half[] = {{floor_body, b}};                         \
        REFUSED(name(NULL, wrong, 1, __VA_ARGS__), "impinge_query is NULL");                                 \
        REFUSED(name(query, NULL, 1, __VA_ARGS__), "pairs is NULL");                                         \
        REFUSED(name(query, wrong, SIZE_MAX, __VA_ARGS__), "pairs cannot have");                             \
        REFUSED(name(query, wrong, 2, __VA_ARGS__), "pairs[1].b: the impinge_body is NULL");                 \
        FAILS(name(query, half, 1, __VA_ARGS__), UNSUPPORTED, "pairs[0].a: the body is a half-space");       \
    } while (0)

static void each(void) {
    const impinge_body_pair pairs[] = {{a, b}, {a, far_away}, {a, rounded}};
    bool meet[3];
    OK(impinge_intersects_each(query, pairs, 3, meet));
    CHECK(meet[0] && !meet[1] && meet[2]);
    OK(impinge_intersects_each(query, NULL, 0, NULL));
    REFUSED(impinge_intersects_each(query, pairs, 3, NULL), "out_meet");
    REFUSES(impinge_intersects_each, meet);

    impinge_contact contacts[3], contact;
    OK(impinge_first_contact_each(query, pairs, 3, contacts));
    OK(impinge_first_contact(query, a, b, &contact));
    CHECK(contacts[0].found && contacts[0].pair.a == contact.pair.a && contacts[0].pair.b == contact.pair.b);
    CHECK(!contacts[1].found && contacts[2].found);
    REFUSED(impinge_first_contact_each(query, pairs, 3, NULL), "out_contacts");
    REFUSES(impinge_first_contact_each, contacts);

    size_t ends[3], count, single;
    impinge_pair list[300], alone[200];
    OK(impinge_pairs_each(query, pairs, 3, ends, list, 300, &count));
    OK(impinge_pairs(query, a, b, alone, 200, &single));
    CHECK(ends[0] == single && ends[1] == ends[0] && ends[2] == count && count > single);
    CHECK(memcmp(list, alone, single * sizeof *list) == 0);
    FAILS(impinge_pairs_each(query, pairs, 3, ends, NULL, 0, &single), SMALL, "0 of");
    CHECK(single == count && ends[2] == count);
    FAILS(impinge_pairs_each(query, pairs, 3, ends, list, 1, &single), SMALL, "1 of");
    REFUSED(impinge_pairs_each(query, pairs, 3, NULL, list, 300, &count), "out_ends");
    REFUSED(impinge_pairs_each(query, pairs, 3, ends, NULL, 300, &count), "the buffer is NULL");
    REFUSED(impinge_pairs_each(query, pairs, 3, ends, list, 300, NULL), "the count is NULL");
    REFUSES(impinge_pairs_each, ends, list, 300, &count);

    impinge_relation_result relations[2];
    OK(impinge_relation_each(query, pairs, 2, relations));
    CHECK(relations[0].kind == IMPINGE_RELATION_KIND_OVERLAP);
    CHECK(relations[1].kind == IMPINGE_RELATION_KIND_APART);
    FAILS(impinge_relation_each(query, pairs, 3, relations), UNSUPPORTED, "pairs[2].b: ");
    REFUSED(impinge_relation_each(query, pairs, 2, NULL), "out_relations");
    REFUSES(impinge_relation_each, relations);

    impinge_distance_result distances[3];
    impinge_accuracy accuracy = impinge_accuracy_default();
    accuracy.exact = true;
    OK(impinge_distance_each(query, pairs, 3, &accuracy, distances));
    CHECK(distances[0].hi == 0 && distances[1].lo == 3 && distances[1].hi == 3 && distances[2].hi == 0);
    accuracy.relative = NAN;
    REFUSED(impinge_distance_each(query, pairs, 3, &accuracy, distances), "NaN");
    REFUSED(impinge_distance_each(query, pairs, 3, NULL, NULL), "out_distances");
    REFUSES(impinge_distance_each, NULL, distances);
}

static void sweeps(void) {
    impinge_pose path[2];
    path[0] = impinge_pose_at(6, 0, 0);
    path[1] = impinge_pose_at(-2, 0, 0);
    const impinge_moving rest = {a, NULL, 0}, moving = {b, path, 2}, resting_far = {far_away, NULL, 0};
    impinge_moving_pair pairs[2];
    pairs[0].a = pairs[1].a = rest;
    pairs[0].b = moving;
    pairs[1].b = resting_far;
    impinge_sweep_options options = impinge_sweep_options_default();
    impinge_sweep_result found[2], alone;
    OK(impinge_sweep_each(query, pairs, 2, NULL, found));
    OK(impinge_sweep(query, a, NULL, 0, b, path, 2, NULL, &alone));
    CHECK(found[0].kind == IMPINGE_SWEEP_KIND_CONTACT && found[1].kind == IMPINGE_SWEEP_KIND_CLEAR);
    CHECK(found[0].free_until == alone.free_until && found[0].meets_at == alone.meets_at);
    OK(impinge_sweep_each(query, NULL, 0, NULL, NULL));
    REFUSED(impinge_sweep_each(query, pairs, 2, NULL, NULL), "out_sweeps");
    REFUSED(impinge_sweep_each(query, NULL, 2, NULL, found), "pairs is NULL");
    REFUSED(impinge_sweep_each(NULL, pairs, 2, NULL, found), "impinge_query is NULL");
    options.resolution = 0;
    REFUSED(impinge_sweep_each(query, pairs, 2, &options, found), "resolution");
    pairs[0].b.path_count = 1;
    REFUSED(impinge_sweep_each(query, pairs, 2, NULL, found), "pairs[0].b: ");
    pairs[0].b.path = NULL;
    REFUSED(impinge_sweep_each(query, pairs, 2, NULL, found), "pairs[0].b: path is NULL");
    path[1].rotation[0][0] = 3;
    pairs[0].b = moving;
    REFUSED(impinge_sweep_each(query, pairs, 2, NULL, found), "pairs[0].b: path[1]: ");
    pairs[0].b = rest;
    pairs[1].a.body = NULL;
    REFUSED(impinge_sweep_each(query, pairs, 2, NULL, found), "pairs[1].a: the impinge_body is NULL");
    pairs[1].a.body = floor_body;
    FAILS(impinge_sweep_each(query, pairs, 2, NULL, found), UNSUPPORTED, "pairs[1].a: a half-space");
}

static impinge_pose scaled(double factor, double x) {
    impinge_pose pose = impinge_pose_at(x, 0, 0);
    for (int i = 0; i < 3; i++) {
        pose.rotation[i][i] = factor;
    }
    return pose;
}

static void affine(void) {
    impinge_pose twice = scaled(2, 5), mirror = scaled(-1, 5), flat = scaled(0, 5), bad = scaled(NAN, 5);
    impinge_body *body;
    impinge_accuracy accuracy = impinge_accuracy_default();
    impinge_distance_result distance, distances[2];
    accuracy.exact = true;
    OK(impinge_body_new_affine(cube, &twice, &body));
    OK(impinge_distance(query, a, body, &accuracy, &distance));
    CHECK(distance.lo == 2 && distance.hi == 2);
    OK(impinge_body_set_pose(body, &mirror));
    OK(impinge_distance(query, body, a, &accuracy, &distance));
    CHECK(distance.lo == 3 && distance.hi == 3);
    REFUSED(impinge_body_set_pose(body, &flat), "singular");
    REFUSED(impinge_body_set_pose(body, &bad), "NaN");
    OK(impinge_body_set_pose(body, NULL));
    impinge_relation_result relation;
    OK(impinge_relation(query, a, body, &relation));
    CHECK(relation.kind == IMPINGE_RELATION_KIND_DUPLICATE);
    // A body at rest may be affine, a path may not.
    impinge_pose path[2];
    path[0] = impinge_pose_at(12, 0, 0);
    path[1] = impinge_pose_at(4, 0, 0);
    impinge_sweep_result sweep;
    OK(impinge_body_set_pose(body, &twice));
    OK(impinge_sweep(query, body, NULL, 0, a, path, 2, NULL, &sweep));
    CHECK(sweep.free_until <= 0.5 && 0.5 <= sweep.meets_at);
    OK(impinge_body_set_radius(body, 0.5));
    OK(impinge_distance(query, a, body, &accuracy, &distance));
    CHECK(distance.lo <= 1.5 && 1.5 <= distance.hi);
    impinge_body_free(body);
    REFUSED(impinge_body_new_affine(cube, &flat, &body), "singular");
    CHECK(body == NULL);
    REFUSED(impinge_body_new_affine(NULL, &twice, &body), "impinge_model is NULL");
    REFUSED(impinge_body_new_affine(cube, &twice, NULL), "NULL");
    REFUSED(impinge_body_new(cube, &twice, &body), "impinge_body_new_affine()");
    REFUSED(impinge_body_new(cube, &mirror, &body), "mirror");

    impinge_pose poses[2];
    poses[0] = twice;
    poses[1] = mirror;
    bool meet[2];
    REFUSED(impinge_distance_at(query, a, cube, poses, 2, &accuracy, distances), "poses[0]");
    REFUSED(impinge_query_set_affine(NULL, true), "impinge_query is NULL");
    OK(impinge_query_set_affine(query, true));
    OK(impinge_distance_at(query, a, cube, poses, 2, &accuracy, distances));
    CHECK(distances[0].hi == 2 && distances[1].hi == 3);
    OK(impinge_within_at(query, a, cube, poses, 2, 2, meet));
    CHECK(meet[0] && !meet[1]);
    poses[1] = flat;
    REFUSED(impinge_intersects_at(query, a, cube, poses, 2, meet), "poses[1]: the affine map is singular");
    REFUSED(impinge_sweep_at(query, a, cube, poses, poses, 1, NULL, &sweep), "starts[0]");
    OK(impinge_query_set_affine(query, false));
    REFUSED(impinge_intersects_at(query, a, cube, poses, 1, meet), "poses[0]");
}

// A flag that is set ends each query.
static void stopped(void) {
    const impinge_body_pair pairs[] = {{a, b}, {a, far_away}};
    const impinge_moving_pair moving[] = {{{a, NULL, 0}, {b, NULL, 0}}};
    bool meet[2];
    impinge_contact contacts[2];
    impinge_relation_result relations[2];
    impinge_distance_result distances[2];
    impinge_sweep_result sweep;
    impinge_pair list[300];
    size_t ends[2], count;
    impinge_stop *stop;
    OK(impinge_stop_new(&stop));
    OK(impinge_stop_set(stop, true));
    OK(impinge_query_set_stop(query, stop));
    const impinge_status ended = IMPINGE_STATUS_STOPPED;
    FAILS(impinge_intersects_each(query, pairs, 2, meet), ended, "stop");
    FAILS(impinge_first_contact_each(query, pairs, 2, contacts), ended, "stop");
    FAILS(impinge_pairs_each(query, pairs, 2, ends, list, 300, &count), ended, "stop");
    FAILS(impinge_relation_each(query, pairs, 2, relations), ended, "stop");
    FAILS(impinge_distance_each(query, pairs, 2, NULL, distances), ended, "stop");
    FAILS(impinge_sweep_each(query, moving, 1, NULL, &sweep), ended, "stop");
    FAILS(impinge_overlaps(query, a, b, meet), ended, "stop");
    FAILS(impinge_first_within(query, a, b, 1, contacts), ended, "stop");
    FAILS(impinge_self_first_contact(query, cube, contacts), ended, "stop");
    const double ball[] = {0, 0, 0, 1};
    impinge_proxy proxy = {0};
    impinge_excess_result excess;
    impinge_interval interval;
    proxy.balls = ball;
    proxy.ball_count = 1;
    FAILS(impinge_excess(query, a, &proxy, NULL, &excess), ended, "stop");
    FAILS(impinge_proxy_volume(query, &proxy, NULL, &interval), ended, "stop");
    FAILS(impinge_point_depths(query, &proxy, ball, 1, &interval), ended, "stop");
    OK(impinge_query_set_stop(query, NULL));
    impinge_stop_free(stop);
}

int main(void) {
    make();
    for (uint16_t threads = 1; threads <= 3; threads++) {
        OK(impinge_query_set_threads(query, threads));
        each();
        sweeps();
        affine();
        stopped();
    }
    impinge_body *bodies[] = {a, b, far_away, rounded, floor_body};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        impinge_body_free(bodies[i]);
    }
    impinge_model_free(cube);
    impinge_query_free(query);
    return 0;
}
