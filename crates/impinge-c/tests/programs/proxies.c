// Queries about simple shapes that stand for a part, with good arguments and with bad ones.
#include "test.h"
#include <math.h>

static const impinge_status UNSUPPORTED = IMPINGE_STATUS_UNSUPPORTED;
static impinge_query *query;
static impinge_body *part, *shifted, *rounded, *floor_body, *nothing, *large;

static void make(void) {
    impinge_mesh *mesh;
    impinge_model *cube, *empty;
    const double up[] = {0, 0, 1};
    impinge_pose pose = impinge_pose_at(1, 0.5, 0.25), twice = impinge_pose_at(0, 0, 0);
    twice.rotation[0][0] = twice.rotation[1][1] = twice.rotation[2][2] = -2;
    OK(impinge_query_new(&query));
    OK(impinge_mesh_new_box(2, 2, 2, &mesh));
    OK(impinge_model_new(mesh, &cube));
    impinge_mesh_free(mesh);
    OK(impinge_mesh_new(NULL, 0, NULL, 0, &mesh));
    OK(impinge_model_new(mesh, &empty));
    impinge_mesh_free(mesh);
    OK(impinge_body_new(cube, NULL, &part));
    OK(impinge_body_new(cube, &pose, &shifted));
    OK(impinge_body_new(cube, &pose, &rounded));
    OK(impinge_body_set_radius(rounded, 3));
    OK(impinge_body_new_half_space(up, -2, &floor_body));
    OK(impinge_body_new(empty, NULL, &nothing));
    OK(impinge_body_new_affine(cube, &twice, &large));
    impinge_model_free(cube);
    impinge_model_free(empty);
}

static void coverage(void) {
    const double ball[] = {0, 0, 0, 1.75}, cylinder[] = {0, 0, -1.25, 0, 0, 1.25, 1.5};
    const impinge_body *elements[] = {part, rounded};
    impinge_coverage_options options = impinge_coverage_options_default();
    impinge_coverage_result found;
    impinge_proxy none = {0}, balls = {0}, cylinders = {0}, bodies = {0};
    balls.balls = ball;
    balls.ball_count = 1;
    cylinders.cylinders = cylinder;
    cylinders.cylinder_count = 1;
    bodies.bodies = elements;
    bodies.body_count = 1;
    OK(impinge_coverage(query, part, &balls, NULL, &found));
    CHECK(found.kind == IMPINGE_COVERAGE_KIND_COVERED);
    OK(impinge_coverage(query, part, &cylinders, NULL, &found));
    CHECK(found.kind == IMPINGE_COVERAGE_KIND_COVERED);
    OK(impinge_coverage(query, part, &none, NULL, &found));
    CHECK(found.kind == IMPINGE_COVERAGE_KIND_UNCOVERED);
    OK(impinge_coverage(query, shifted, &bodies, &options, &found));
    CHECK(found.kind == IMPINGE_COVERAGE_KIND_UNCOVERED && found.witness[0] > 1 && found.depth.hi > 0.9);
    bodies.body_count = 2;
    OK(impinge_coverage(query, shifted, &bodies, &options, &found));
    CHECK(found.kind == IMPINGE_COVERAGE_KIND_COVERED);
    // Affine bodies, as a shape and as the part.
    elements[0] = large;
    bodies.body_count = 1;
    OK(impinge_coverage(query, part, &bodies, NULL, &found));
    CHECK(found.kind == IMPINGE_COVERAGE_KIND_COVERED);
    elements[0] = part;
    OK(impinge_coverage(query, large, &bodies, NULL, &found));
    CHECK(found.kind == IMPINGE_COVERAGE_KIND_UNCOVERED && found.depth.hi > 1.7);
    REFUSED(impinge_coverage(query, part, &balls, NULL, NULL), "out_coverage");
    REFUSED(impinge_coverage(query, part, NULL, NULL, &found), "proxy is NULL");
    REFUSED(impinge_coverage(NULL, part, &balls, NULL, &found), "impinge_query is NULL");
    REFUSED(impinge_coverage(query, NULL, &balls, NULL, &found), "impinge_body is NULL");
    FAILS(impinge_coverage(query, rounded, &balls, NULL, &found), UNSUPPORTED, "radius");
    options.accuracy = 0;
    REFUSED(impinge_coverage(query, part, &balls, &options, &found), "accuracy");
    options = impinge_coverage_options_default();
    options.margin = NAN;
    REFUSED(impinge_coverage(query, part, &balls, &options, &found), "margin");
    options.margin = 0;
    options.tolerance = -1;
    REFUSED(impinge_coverage(query, part, &balls, &options, &found), "tolerance");
}

// Each wrong shape is refused, with its place.
static void wrong_proxies(void) {
    const double ball[] = {0, 0, 0, 1, 0, 0, NAN, 1}, hollow[] = {0, 0, 0, -1};
    const double cylinder[] = {0, 0, 0, 0, 0, INFINITY, 1}, thin[] = {0, 0, 0, 0, 0, 1, NAN};
    const impinge_body *elements[] = {part, NULL};
    impinge_interval volume;
    impinge_proxy proxy = {0};
    proxy.ball_count = 1;
    REFUSED(impinge_proxy_volume(query, &proxy, NULL, &volume), "balls is NULL");
    proxy.ball_count = SIZE_MAX / 8;
    proxy.balls = ball;
    REFUSED(impinge_proxy_volume(query, &proxy, NULL, &volume), "balls cannot have");
    proxy.ball_count = 2;
    REFUSED(impinge_proxy_volume(query, &proxy, NULL, &volume), "balls[1] has a coordinate");
    proxy.ball_count = 1;
    proxy.balls = hollow;
    REFUSED(impinge_proxy_volume(query, &proxy, NULL, &volume), "balls[0]: ");
    memset(&proxy, 0, sizeof proxy);
    proxy.cylinder_count = 1;
    REFUSED(impinge_proxy_volume(query, &proxy, NULL, &volume), "cylinders is NULL");
    proxy.cylinders = cylinder;
    REFUSED(impinge_proxy_volume(query, &proxy, NULL, &volume), "cylinders[0] has");
    proxy.cylinders = thin;
    REFUSED(impinge_proxy_volume(query, &proxy, NULL, &volume), "cylinders[0]: ");
    memset(&proxy, 0, sizeof proxy);
    proxy.body_count = 2;
    REFUSED(impinge_proxy_volume(query, &proxy, NULL, &volume), "bodies is NULL");
    proxy.bodies = elements;
    REFUSED(impinge_proxy_volume(query, &proxy, NULL, &volume), "bodies[1]");
    elements[1] = floor_body;
    FAILS(impinge_proxy_volume(query, &proxy, NULL, &volume), UNSUPPORTED, "bodies[1]");
}

static void excess(void) {
    const double ball[] = {0, 0, 0, 2};
    impinge_excess_options options = impinge_excess_options_default();
    impinge_excess_result found;
    impinge_proxy none = {0}, balls = {0};
    balls.balls = ball;
    balls.ball_count = 1;
    CHECK(options.accuracy == 0.01 && options.most_cells == 200000);
    // Above the middle of a face the ball is 1 too high.
    OK(impinge_excess(query, part, &balls, NULL, &found));
    CHECK(found.distance.lo <= 1 && 1 <= found.distance.hi && found.distance.hi <= 1.01 * found.distance.lo);
    CHECK(found.cells > 0 && fabs(found.witness[0]) <= 2);
    options.most_cells = 1;
    impinge_excess_result wider;
    OK(impinge_excess(query, part, &balls, &options, &wider));
    CHECK(wider.distance.lo <= 1 && 1 <= wider.distance.hi && wider.cells < found.cells);
    OK(impinge_excess(query, part, &none, NULL, &found));
    CHECK(found.distance.hi == 0 && isnan(found.witness[0]));
    OK(impinge_excess(query, nothing, &balls, NULL, &found));
    CHECK(isinf(found.distance.hi));
    REFUSED(impinge_excess(query, part, &balls, NULL, NULL), "out_excess");
    REFUSED(impinge_excess(query, part, NULL, NULL, &found), "proxy is NULL");
    REFUSED(impinge_excess(query, NULL, &balls, NULL, &found), "impinge_body is NULL");
    REFUSED(impinge_excess(NULL, part, &balls, NULL, &found), "impinge_query is NULL");
    FAILS(impinge_excess(query, floor_body, &balls, NULL, &found), UNSUPPORTED, "half-space");
    FAILS(impinge_excess(query, rounded, &balls, NULL, &found), UNSUPPORTED, "radius");
    options.accuracy = NAN;
    REFUSED(impinge_excess(query, part, &balls, &options, &found), "accuracy");
    options.accuracy = 0;
    REFUSED(impinge_excess(query, part, &balls, &options, &found), "accuracy");
}

static void volume(void) {
    const impinge_body *elements[] = {part, shifted};
    const double ball[] = {9, 0, 0, 1};
    impinge_excess_options options = impinge_excess_options_default();
    impinge_interval found;
    impinge_proxy none = {0}, proxy = {0};
    OK(impinge_proxy_volume(query, &none, NULL, &found));
    CHECK(found.lo == 0 && found.hi == 0);
    proxy.bodies = elements;
    proxy.body_count = 1;
    OK(impinge_proxy_volume(query, &proxy, NULL, &found));
    CHECK(found.lo <= 8 && 8 <= found.hi && found.hi - found.lo < 1e-9);
    // Both boxes share 1 * 1.5 * 1.75.
    proxy.body_count = 2;
    OK(impinge_proxy_volume(query, &proxy, &options, &found));
    CHECK(found.lo <= 13.375 && 13.375 <= found.hi && found.hi <= 1.011 * found.lo);
    elements[0] = large;
    OK(impinge_proxy_volume(query, &proxy, &options, &found));
    CHECK(found.lo <= 64 && 64 <= found.hi);
    elements[0] = part;
    proxy.balls = ball;
    proxy.ball_count = 1;
    options.accuracy = 0.25;
    OK(impinge_proxy_volume(query, &proxy, &options, &found));
    CHECK(found.lo <= 17.5637 && 17.5638 <= found.hi);
    REFUSED(impinge_proxy_volume(query, &proxy, NULL, NULL), "out_volume");
    REFUSED(impinge_proxy_volume(query, NULL, NULL, &found), "proxy is NULL");
    REFUSED(impinge_proxy_volume(NULL, &proxy, NULL, &found), "impinge_query is NULL");
    options.accuracy = -1;
    REFUSED(impinge_proxy_volume(query, &proxy, &options, &found), "accuracy");
}

static void depths(void) {
    const double ball[] = {0, 0, 0, 1}, points[] = {3, 0, 0, 0, 0, 0}, wrong[] = {0, 0, NAN};
    impinge_interval found[2];
    impinge_proxy none = {0}, proxy = {0};
    proxy.balls = ball;
    proxy.ball_count = 1;
    OK(impinge_point_depths(query, &proxy, points, 2, found));
    CHECK(found[0].lo <= 2 && 2 <= found[0].hi && found[0].hi - found[0].lo < 1e-9);
    CHECK(found[1].lo <= -1 && -1 <= found[1].hi && found[1].hi < -0.9);
    OK(impinge_point_depths(query, &none, points, 2, found));
    CHECK(isinf(found[0].lo) && isinf(found[1].hi));
    OK(impinge_point_depths(query, &proxy, NULL, 0, NULL));
    REFUSED(impinge_point_depths(query, &proxy, wrong, 1, found), "points[0]");
    REFUSED(impinge_point_depths(query, &proxy, NULL, 2, found), "points is NULL");
    REFUSED(impinge_point_depths(query, &proxy, points, 2, NULL), "out_distances");
    REFUSED(impinge_point_depths(query, NULL, points, 2, found), "proxy is NULL");
    REFUSED(impinge_point_depths(NULL, &proxy, points, 2, found), "impinge_query is NULL");
}

int main(void) {
    make();
    coverage();
    wrong_proxies();
    excess();
    volume();
    depths();
    impinge_body *bodies[] = {part, shifted, rounded, floor_body, nothing, large};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        impinge_body_free(bodies[i]);
    }
    impinge_query_free(query);
    return 0;
}
