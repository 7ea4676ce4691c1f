// Scenes, assemblies, checks and reports: each function with good arguments, and with bad ones.
#include "test.h"
#include <math.h>

static const impinge_status SMALL = IMPINGE_STATUS_BUFFER_TOO_SMALL;
static impinge_mesh *mesh;
static impinge_model *cube;
static impinge_pose bad_pose;

// Changes of shapes and margins, in a scene whose bodies `a` and `b` are cubes at (0, 10, 0).
static void changes(impinge_scene *scene, uint32_t a, uint32_t b, uint32_t ground) {
    const double down[] = {0, 0, -1}, none[] = {0, 0, 0};
    impinge_scene_contact contacts[4];
    impinge_scene_near near[4];
    impinge_pair pairs[4];
    size_t count;
    // Away from the ground, and from all others.
    impinge_pose pose = impinge_pose_at(0, 10, 20);
    OK(impinge_scene_set_half_space(scene, ground, down, -30));
    OK(impinge_scene_set_pose(scene, a, &pose));
    pose = impinge_pose_at(3, 10, 20);
    OK(impinge_scene_set_pose(scene, b, &pose));
    OK(impinge_scene_set_margin(scene, 0));
    OK(impinge_scene_set_body_margin(scene, a, 1));
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_scene_contacts(scene, contacts, 4, &count));
    CHECK(count == 0);
    OK(impinge_scene_near_pairs(scene, near, 4, &count));
    CHECK(count == 1 && near[0].a + near[0].b == a + b && near[0].distance.hi >= 1);
    OK(impinge_scene_set_pair_margin(scene, a, b, 0.5));
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_scene_near_pairs(scene, near, 4, &count));
    CHECK(count == 0);
    OK(impinge_scene_near_ended(scene, pairs, 4, &count));
    CHECK(count == 1 && pairs[0].a + pairs[0].b == a + b);
    FAILS(impinge_scene_near_ended(scene, NULL, 0, &count), SMALL, "0 of 1");
    REFUSED(impinge_scene_near_ended(scene, NULL, 4, &count), "the buffer is NULL");
    REFUSED(impinge_scene_near_ended(scene, pairs, 4, NULL), "the count is NULL");
    REFUSED(impinge_scene_near_ended(NULL, pairs, 4, &count), "impinge_scene is NULL");
    OK(impinge_scene_set_pair_margin(scene, a, b, -1));
    OK(impinge_scene_set_body_margin(scene, a, -1));
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_scene_near_pairs(scene, near, 4, &count));
    CHECK(count == 0);
    REFUSED(impinge_scene_set_body_margin(scene, a, NAN), "margin is NaN");
    REFUSED(impinge_scene_set_body_margin(scene, 9, 1), "no body 9");
    REFUSED(impinge_scene_set_body_margin(NULL, a, 1), "impinge_scene is NULL");
    REFUSED(impinge_scene_set_pair_margin(scene, a, b, INFINITY), "margin is inf");
    REFUSED(impinge_scene_set_pair_margin(scene, a, 9, 1), "no body 9");
    REFUSED(impinge_scene_set_pair_margin(NULL, a, b, 1), "impinge_scene is NULL");

    // A longer mesh: its corners with x = 1 move to x = 2.
    double corners[24], wrong[3] = {0, NAN, 0};
    OK(impinge_mesh_points(mesh, corners, 8, &count));
    for (size_t i = 0; i < count; i++) {
        corners[3 * i] = corners[3 * i] > 0 ? 2 : corners[3 * i];
    }
    OK(impinge_scene_deform(scene, a, corners, count));
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_scene_contacts(scene, contacts, 4, &count));
    CHECK(count == 1 && contacts[0].a + contacts[0].b == a + b);
    REFUSED(impinge_scene_deform(scene, a, corners, 7), "7");
    REFUSED(impinge_scene_deform(scene, a, wrong, 1), "points[0]");
    REFUSED(impinge_scene_deform(scene, a, NULL, 8), "points is NULL");
    REFUSED(impinge_scene_deform(scene, 9, corners, 8), "no body 9");
    REFUSED(impinge_scene_deform(NULL, a, corners, 8), "impinge_scene is NULL");
    FAILS(impinge_scene_deform(scene, ground, corners, 8), IMPINGE_STATUS_UNSUPPORTED, "is a half-space");
    OK(impinge_scene_set_model(scene, a, cube));
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_scene_contacts(scene, contacts, 4, &count));
    CHECK(count == 0);
    REFUSED(impinge_scene_set_model(scene, a, NULL), "impinge_model is NULL");
    REFUSED(impinge_scene_set_model(scene, 9, cube), "no body 9");
    REFUSED(impinge_scene_set_model(NULL, a, cube), "impinge_scene is NULL");
    FAILS(impinge_scene_set_model(scene, ground, cube), IMPINGE_STATUS_UNSUPPORTED, "is a half-space");
    REFUSED(impinge_scene_set_half_space(scene, ground, none, 0), "normal");
    REFUSED(impinge_scene_set_half_space(scene, ground, NULL, 0), "normal is NULL");
    REFUSED(impinge_scene_set_half_space(scene, ground, down, NAN), "finite");
    REFUSED(impinge_scene_set_half_space(scene, 9, down, 0), "no body 9");
    REFUSED(impinge_scene_set_half_space(NULL, ground, down, 0), "impinge_scene is NULL");
    FAILS(impinge_scene_set_half_space(scene, a, down, 0), IMPINGE_STATUS_UNSUPPORTED, "no half-space");
}

// `a` moves, and meets `b`.
static void sweeps(impinge_scene *scene, uint32_t a, uint32_t b, uint32_t ground) {
    impinge_query *query;
    impinge_pose path[2];
    impinge_scene_sweep_result found;
    impinge_sweep_options options = impinge_sweep_options_default();
    path[0] = impinge_pose_at(-1, 10, 20);
    path[1] = impinge_pose_at(3, 10, 20);
    OK(impinge_query_new(&query));
    OK(impinge_scene_sweep(scene, query, a, path, 2, NULL, &found));
    CHECK(found.found && found.other == b && found.sweep.kind == IMPINGE_SWEEP_KIND_CONTACT);
    CHECK(found.sweep.free_until <= 0.5 && 0.5 <= found.sweep.meets_at);
    path[1] = impinge_pose_at(-1, 11, 20);
    OK(impinge_scene_sweep(scene, query, a, path, 2, &options, &found));
    CHECK(!found.found && found.other == 0 && found.sweep.kind == IMPINGE_SWEEP_KIND_CLEAR);
    REFUSED(impinge_scene_sweep(scene, query, a, path, 1, NULL, &found), "pose");
    REFUSED(impinge_scene_sweep(scene, query, a, NULL, 0, NULL, &found), "pose");
    REFUSED(impinge_scene_sweep(scene, query, a, NULL, 2, NULL, &found), "path is NULL");
    REFUSED(impinge_scene_sweep(scene, query, a, &bad_pose, 1, NULL, &found), "path[0]");
    REFUSED(impinge_scene_sweep(scene, query, a, path, 2, NULL, NULL), "out_sweep is NULL");
    REFUSED(impinge_scene_sweep(scene, query, 9, path, 2, NULL, &found), "no body 9");
    REFUSED(impinge_scene_sweep(scene, NULL, a, path, 2, NULL, &found), "impinge_query is NULL");
    REFUSED(impinge_scene_sweep(NULL, query, a, path, 2, NULL, &found), "impinge_scene is NULL");
    FAILS(impinge_scene_sweep(scene, query, ground, path, 2, NULL, &found), IMPINGE_STATUS_UNSUPPORTED,
          "is a half-space");
    options.resolution = NAN;
    REFUSED(impinge_scene_sweep(scene, query, a, path, 2, &options, &found), "resolution");
    impinge_query_free(query);
}

static void stops(impinge_scene *scene) {
    impinge_stop *stop;
    size_t count;
    OK(impinge_stop_new(&stop));
    OK(impinge_scene_set_stop(scene, stop));
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_stop_set(stop, true));
    FAILS(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES), IMPINGE_STATUS_STOPPED, "stop");
    OK(impinge_scene_contacts(scene, NULL, 0, &count));
    OK(impinge_scene_set_stop(scene, NULL));
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    REFUSED(impinge_scene_set_stop(NULL, stop), "impinge_scene is NULL");
    impinge_stop_free(stop);
}

static void scenes(impinge_scene *scene) {
    impinge_pose pose = impinge_pose_at(1, 0, 0);
    uint32_t first, second, third, unused;
    OK(impinge_scene_add(scene, cube, NULL, &first));
    OK(impinge_scene_add(scene, cube, &pose, &second));
    pose = impinge_pose_at(0, 10, 0);
    OK(impinge_scene_add(scene, cube, &pose, &third));
    CHECK(first == 0 && second == 1 && third == 2);
    REFUSED(impinge_scene_add(NULL, cube, NULL, &unused), "impinge_scene is NULL");
    REFUSED(impinge_scene_add(scene, NULL, NULL, &unused), "impinge_model is NULL");
    REFUSED(impinge_scene_add(scene, cube, &bad_pose, &unused), "rigid");
    REFUSED(impinge_scene_add(scene, cube, NULL, NULL), "out_body");
    // Affine poses: a cube of half the size, far away.
    impinge_pose half = impinge_pose_at(0, 0, 50);
    half.rotation[0][0] = half.rotation[1][1] = half.rotation[2][2] = 0.5;
    REFUSED(impinge_scene_add(scene, cube, &half, &unused), "impinge_scene_set_affine()");
    REFUSED(impinge_scene_set_affine(NULL, true), "impinge_scene is NULL");
    OK(impinge_scene_set_affine(scene, true));
    OK(impinge_scene_set_pose(scene, third, &half));
    REFUSED(impinge_scene_set_pose(scene, third, &bad_pose), "singular");
    const double above[] = {0, 0, 60};
    impinge_scene_nearest top;
    OK(impinge_scene_nearest_bodies(scene, above, 1, NULL, &top));
    CHECK(top.body == third && top.closest.lo <= 9.5 && 9.5 <= top.closest.hi);
    OK(impinge_scene_set_pose(scene, third, &pose));
    OK(impinge_scene_set_affine(scene, false));

    impinge_scene_contact contacts[4];
    impinge_pair pairs[200];
    size_t count, pair_count;
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_RELATIONS));
    OK(impinge_scene_contacts(scene, contacts, 4, &count));
    CHECK(count == 1 && contacts[0].a == first && contacts[0].b == second && contacts[0].began);
    CHECK(contacts[0].has_relation && contacts[0].relation == IMPINGE_RELATION_KIND_OVERLAP);
    CHECK(contacts[0].witness.found);
    OK(impinge_scene_contact_pairs(scene, 0, pairs, 200, &pair_count));
    CHECK(pair_count == contacts[0].triangle_pairs);
    FAILS(impinge_scene_contacts(scene, NULL, 0, &count), SMALL, "0 of 1");
    FAILS(impinge_scene_contact_pairs(scene, 0, pairs, 1, &count), SMALL, "1 of");
    REFUSED(impinge_scene_contact_pairs(scene, 1, pairs, 200, &count), "no contact 1");
    REFUSED(impinge_scene_contact_pairs(NULL, 0, pairs, 200, &count), "NULL");
    REFUSED(impinge_scene_contacts(NULL, contacts, 4, &count), "NULL");
    REFUSED(impinge_scene_contacts(scene, contacts, 4, NULL), "the count");
    REFUSED(impinge_scene_contacts(scene, NULL, 4, &count), "the buffer");
    REFUSED(impinge_scene_update(scene, (impinge_detail)4), "4 is no detail");
    REFUSED(impinge_scene_update(NULL, IMPINGE_DETAIL_BODIES), "NULL");
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_COUNTS));
    REFUSED(impinge_scene_contact_pairs(scene, 0, pairs, 200, &count), "did not list");
    OK(impinge_scene_contacts(scene, contacts, 4, &count));
    CHECK(!contacts[0].began && contacts[0].triangle_pairs == pair_count && !contacts[0].has_relation);

    // Filters, pairs that may meet, radii.
    OK(impinge_scene_set_filter(scene, second, 2, 2));
    OK(impinge_scene_set_filter(scene, first, 1, 1));
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_scene_contacts(scene, contacts, 4, &count));
    CHECK(count == 0);
    OK(impinge_scene_ended(scene, pairs, 4, &count));
    CHECK(count == 1 && pairs[0].a == first && pairs[0].b == second);
    FAILS(impinge_scene_ended(scene, NULL, 0, &count), SMALL, "0 of 1");
    REFUSED(impinge_scene_ended(NULL, pairs, 4, &count), "NULL");
    OK(impinge_scene_set_filter(scene, first, 3, 3));
    OK(impinge_scene_set_allowed(scene, first, second, true));
    OK(impinge_scene_set_radius(scene, third, 9));
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_scene_contacts(scene, contacts, 4, &count));
    CHECK(count == 2 && contacts[0].a == first && contacts[0].b == third && contacts[1].a == second);
    OK(impinge_scene_set_radius(scene, third, 0));
    OK(impinge_scene_set_allowed(scene, first, second, false));
    REFUSED(impinge_scene_set_radius(scene, third, NAN), "NaN");
    REFUSED(impinge_scene_set_radius(scene, 9, 1), "no body 9");
    REFUSED(impinge_scene_set_radius(NULL, third, 1), "NULL");
    REFUSED(impinge_scene_set_allowed(scene, first, 9, true), "no body 9");
    REFUSED(impinge_scene_set_allowed(NULL, first, second, true), "NULL");
    REFUSED(impinge_scene_set_filter(scene, 9, 1, 1), "no body 9");
    REFUSED(impinge_scene_set_filter(NULL, first, 1, 1), "NULL");

    // Margins.
    impinge_scene_near near[4];
    OK(impinge_scene_set_margin(scene, 8));
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_scene_near_pairs(scene, near, 4, &count));
    CHECK(count == 2 && near[0].a == first && near[0].b == third && near[0].began);
    CHECK(near[0].distance.lo <= 8 && 8 <= near[0].distance.hi);
    FAILS(impinge_scene_near_pairs(scene, near, 1, &count), SMALL, "1 of 2");
    REFUSED(impinge_scene_near_pairs(NULL, near, 4, &count), "NULL");
    REFUSED(impinge_scene_set_margin(scene, NAN), "NaN");
    REFUSED(impinge_scene_set_margin(NULL, 1), "NULL");

    // Nearest bodies.
    const double points[] = {0, 8, 0, -5, 0, 0}, wrong[] = {NAN, 0, 0};
    impinge_scene_nearest nearest[2];
    OK(impinge_scene_nearest_bodies(scene, points, 2, NULL, nearest));
    CHECK(nearest[0].body == third && nearest[0].closest.lo <= 1 && 1 <= nearest[0].closest.hi);
    CHECK(nearest[1].body == first);
    REFUSED(impinge_scene_nearest_bodies(scene, wrong, 1, NULL, nearest), "points[0]");
    REFUSED(impinge_scene_nearest_bodies(scene, NULL, 2, NULL, nearest), "points is NULL");
    REFUSED(impinge_scene_nearest_bodies(scene, points, 2, NULL, NULL), "out_nearest");
    REFUSED(impinge_scene_nearest_bodies(NULL, points, 2, NULL, nearest), "NULL");

    // Motion, and ids that are not given twice.
    OK(impinge_scene_set_pose(scene, second, &pose));
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_scene_contacts(scene, contacts, 4, &count));
    CHECK(count == 1 && contacts[0].a == second && contacts[0].b == third);
    REFUSED(impinge_scene_set_pose(scene, second, &bad_pose), "rigid");
    REFUSED(impinge_scene_set_pose(scene, 9, NULL), "no body 9");
    REFUSED(impinge_scene_set_pose(NULL, second, NULL), "NULL");
    OK(impinge_scene_remove(scene, second));
    REFUSED(impinge_scene_remove(scene, second), "no body 1");
    REFUSED(impinge_scene_remove(scene, 9), "no body 9");
    REFUSED(impinge_scene_remove(NULL, second), "NULL");
    REFUSED(impinge_scene_set_pose(scene, second, NULL), "no body 1");
    uint32_t fourth;
    OK(impinge_scene_add(scene, cube, &pose, &fourth));
    CHECK(fourth == 3);
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_scene_ended(scene, pairs, 4, &count));
    CHECK(count == 1 && pairs[0].a == second && pairs[0].b == third);
    OK(impinge_scene_contacts(scene, contacts, 4, &count));
    CHECK(count == 1 && contacts[0].a + contacts[0].b == third + fourth);
    const double up[] = {0, 0, 1}, none[] = {0, 0, 0};
    uint32_t ground;
    OK(impinge_scene_add_half_space(scene, up, -0.5, &ground));
    CHECK(ground == 4);
    OK(impinge_scene_update(scene, IMPINGE_DETAIL_BODIES));
    OK(impinge_scene_contacts(scene, contacts, 4, &count));
    CHECK(count == 4);
    FAILS(impinge_scene_set_radius(scene, ground, 1), IMPINGE_STATUS_UNSUPPORTED, "is a half-space");
    REFUSED(impinge_scene_add_half_space(scene, none, 0, &ground), "normal");
    REFUSED(impinge_scene_add_half_space(scene, up, NAN, &ground), "finite");
    REFUSED(impinge_scene_add_half_space(scene, NULL, 0, &ground), "normal is NULL");
    REFUSED(impinge_scene_add_half_space(scene, up, 0, NULL), "out_body");
    REFUSED(impinge_scene_add_half_space(NULL, up, 0, &ground), "NULL");
    changes(scene, third, fourth, ground);
    sweeps(scene, third, fourth, ground);
    stops(scene);
    impinge_scene_free(scene);
}

static void check_scenes(void) {
    impinge_scene *scene;
    OK(impinge_scene_new(&scene));
    scenes(scene);
    OK(impinge_scene_new_threaded(2, &scene));
    scenes(scene);
    REFUSED(impinge_scene_new(NULL), "NULL");
    REFUSED(impinge_scene_new_threaded(2, NULL), "NULL");
    impinge_scene_free(NULL);
}

static void affine_parts(void) {
    impinge_assembly *assembly;
    impinge_report *report;
    impinge_mesh *placed;
    impinge_pose pose = impinge_pose_at(2.5, 0, 0), flat = pose, huge = pose;
    impinge_finding findings[2];
    size_t count;
    pose.rotation[0][0] = pose.rotation[1][1] = pose.rotation[2][2] = -2;
    flat.rotation[0][0] = 0;
    huge.rotation[0][0] = 1e308;
    huge.translation[0] = 1e308;
    OK(impinge_assembly_new(&assembly));
    OK(impinge_assembly_add(assembly, "a", 1, mesh, NULL));
    REFUSED(impinge_assembly_add(assembly, "b", 1, mesh, &pose), "impinge_assembly_add_affine()");
    OK(impinge_assembly_add_affine(assembly, "b", 1, mesh, &pose));
    // The copy of the mesh has the pose.
    double corners[24];
    OK(impinge_assembly_part_mesh(assembly, 1, &placed));
    OK(impinge_mesh_points(placed, corners, 8, &count));
    for (size_t i = 0; i < count; i++) {
        CHECK(corners[3 * i] == 0.5 || corners[3 * i] == 4.5);
    }
    impinge_mesh_free(placed);
    // The cubes share 0.5 * 2 * 2.
    OK(impinge_check(assembly, NULL, &report));
    OK(impinge_report_findings(report, findings, 2, &count));
    CHECK(count == 1 && findings[0].kind == IMPINGE_FINDING_KIND_OVERLAP);
    CHECK(findings[0].overlap_volume.lo <= 2 && 2 <= findings[0].overlap_volume.hi);
    impinge_report_free(report);
    OK(impinge_assembly_add_affine(assembly, "c", 1, mesh, NULL));
    REFUSED(impinge_assembly_add_affine(assembly, "d", 1, mesh, &flat), "singular");
    REFUSED(impinge_assembly_add_affine(assembly, "d", 1, mesh, &huge), "inf");
    REFUSED(impinge_assembly_add_affine(assembly, NULL, 1, mesh, &pose), "name is NULL");
    REFUSED(impinge_assembly_add_affine(assembly, "\xff", 1, mesh, &pose), "UTF-8");
    REFUSED(impinge_assembly_add_affine(assembly, "d", 1, NULL, &pose), "impinge_mesh is NULL");
    REFUSED(impinge_assembly_add_affine(NULL, "d", 1, mesh, &pose), "impinge_assembly is NULL");
    OK(impinge_assembly_part_count(assembly, &count));
    CHECK(count == 3);
    impinge_assembly_free(assembly);
}

static void reports(const char *folder) {
    impinge_assembly *assembly;
    impinge_report *report;
    size_t count;
    char text[200];
    OK(impinge_assembly_new(&assembly));
    REFUSED(impinge_assembly_new(NULL), "NULL");
    impinge_pose pose = impinge_pose_at(1.5, 0, 0);
    OK(impinge_assembly_add(assembly, "left", 4, mesh, NULL));
    OK(impinge_assembly_add(assembly, "r\xc3\xa9serve", IMPINGE_CSTRING, mesh, &pose));
    REFUSED(impinge_assembly_add(assembly, "\xff", 1, mesh, NULL), "UTF-8");
    REFUSED(impinge_assembly_add(assembly, NULL, 4, mesh, NULL), "name is NULL");
    REFUSED(impinge_assembly_add(assembly, "x", 1, NULL, NULL), "impinge_mesh is NULL");
    REFUSED(impinge_assembly_add(assembly, "x", 1, mesh, &bad_pose), "rigid");
    REFUSED(impinge_assembly_add(NULL, "x", 1, mesh, NULL), "impinge_assembly is NULL");
    const char off[] =
        "OFF\n4 4 0\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n# rest\nx\n";
    OK(impinge_assembly_parse(assembly, (const uint8_t *)off, strlen(off), "off", 3));
    FAILS(impinge_assembly_parse(assembly, (const uint8_t *)off, 20, "off", 3),
          IMPINGE_STATUS_INVALID_CONTENT, "memory");
    REFUSED(impinge_assembly_parse(assembly, (const uint8_t *)off, 20, "xyz", 3), "xyz");
    REFUSED(impinge_assembly_parse(assembly, NULL, 20, "off", 3), "bytes is NULL");
    REFUSED(impinge_assembly_parse(NULL, (const uint8_t *)off, 20, "off", 3), "NULL");
    OK(impinge_assembly_part_count(assembly, &count));
    CHECK(count == 3);
    REFUSED(impinge_assembly_part_count(NULL, &count), "NULL");
    REFUSED(impinge_assembly_part_count(assembly, NULL), "out_count");
    OK(impinge_assembly_part_name(assembly, 1, text, sizeof text, &count));
    CHECK(count == 8 && strcmp(text, "r\xc3\xa9serve") == 0);
    FAILS(impinge_assembly_part_name(assembly, 1, text, 3, &count), SMALL, "3 bytes");
    CHECK(count == 8 && strcmp(text, "r") == 0);
    FAILS(impinge_assembly_part_name(assembly, 1, NULL, 0, &count), SMALL, "0 bytes");
    REFUSED(impinge_assembly_part_name(assembly, 3, text, sizeof text, &count), "no part 3");
    REFUSED(impinge_assembly_part_name(NULL, 1, text, sizeof text, &count), "NULL");
    REFUSED(impinge_assembly_part_name(assembly, 1, text, sizeof text, NULL), "the count");
    impinge_mesh *part;
    OK(impinge_assembly_part_mesh(assembly, 2, &part));
    impinge_mesh_free(part);
    REFUSED(impinge_assembly_part_mesh(assembly, 3, &part), "no part 3");
    CHECK(part == NULL);
    REFUSED(impinge_assembly_part_mesh(NULL, 0, &part), "NULL");
    REFUSED(impinge_assembly_part_mesh(assembly, 0, NULL), "NULL");

    char path[4096];
    snprintf(path, sizeof path, "%s/part.off", folder);
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(off, 1, strlen(off), file) == strlen(off) && fclose(file) == 0);
    impinge_assembly *files;
    OK(impinge_assembly_new(&files));
    OK(impinge_assembly_read(files, path, IMPINGE_CSTRING));
    OK(impinge_assembly_part_count(files, &count));
    CHECK(count == 1);
    FAILS(impinge_assembly_read(files, "no such file.off", 16), IMPINGE_STATUS_IO, "no such file");
    REFUSED(impinge_assembly_read(files, NULL, 1), "path is NULL");
    REFUSED(impinge_assembly_read(NULL, path, IMPINGE_CSTRING), "NULL");
    OK(impinge_assembly_part_count(files, &count));
    CHECK(count == 1);
    impinge_assembly_free(files);

    impinge_check_options options = impinge_check_options_default();
    options.clearance = 1;
    options.threads = 2;
    OK(impinge_check(assembly, &options, &report));
    impinge_coverage_counts counts;
    OK(impinge_report_counts(report, &counts));
    CHECK(counts.parts == 3 && counts.part_pairs == 3 && counts.not_examined == 0 && counts.findings == 3);
    REFUSED(impinge_report_counts(NULL, &counts), "NULL");
    REFUSED(impinge_report_counts(report, NULL), "out_counts");
    impinge_finding findings[4];
    OK(impinge_report_findings(report, findings, 4, &count));
    CHECK(count == 3 && findings[0].kind == IMPINGE_FINDING_KIND_OVERLAP);
    for (size_t i = 0; i < count; i++) {
        CHECK(findings[i].sure == IMPINGE_SURE_UNKNOWN && findings[i].part_a < findings[i].part_b);
        if (findings[i].part_a == 0 && findings[i].part_b == 1) {
            CHECK(findings[i].overlap_volume.lo <= 2 && 2 <= findings[i].overlap_volume.hi);
            CHECK(fabs(fabs(findings[i].separating_translation[0]) - 0.5) < 1e-9);
            CHECK(isnan(findings[i].distance.lo) && findings[i].triangle_pairs > 0);
        }
    }
    FAILS(impinge_report_findings(report, findings, 1, &count), SMALL, "1 of 3");
    CHECK(count == 3);
    REFUSED(impinge_report_findings(NULL, findings, 4, &count), "NULL");
    REFUSED(impinge_report_findings(report, findings, 4, NULL), "the count");
    CHECK(counts.warnings == 1);
    OK(impinge_report_warning(report, 0, text, sizeof text, &count));
    CHECK(strstr(text, "memory") != NULL && strlen(text) == count);
    FAILS(impinge_report_warning(report, 0, text, 5, &count), SMALL, "5 bytes");
    REFUSED(impinge_report_warning(report, 1, text, sizeof text, &count), "no warning 1");
    REFUSED(impinge_report_warning(NULL, 0, text, sizeof text, &count), "NULL");

    // All formats, in a buffer and in files.
    const char *formats[] = {"table", "json", "html",       "csv", "markdown", "junit",
                             "dot",   "bcf",  "navisworks", "glb", "xlsx"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        FAILS(impinge_report_write(report, formats[i], IMPINGE_CSTRING, NULL, 0, &count), SMALL, "0 of");
        uint8_t *bytes = malloc(count);
        CHECK(bytes != NULL);
        OK(impinge_report_write(report, formats[i], IMPINGE_CSTRING, bytes, count, &count));
        CHECK(i != 1 || memcmp(bytes, "{\"impinge\":", 11) == 0);
        free(bytes);
        snprintf(path, sizeof path, "%s/report.%s", folder, formats[i]);
        OK(impinge_report_save(report, formats[i], IMPINGE_CSTRING, path, IMPINGE_CSTRING));
    }
    snprintf(path, sizeof path, "%s/other.json", folder);
    OK(impinge_report_save(report, NULL, 0, path, IMPINGE_CSTRING));
    REFUSED(impinge_report_save(report, NULL, 0, "no extension", IMPINGE_CSTRING), "no extension");
    REFUSED(impinge_report_save(report, "docx", 4, path, IMPINGE_CSTRING),
            "'docx' is no format; there are table");
    REFUSED(impinge_report_save(report, "json", 4, NULL, 3), "path is NULL");
    REFUSED(impinge_report_save(NULL, "json", 4, path, IMPINGE_CSTRING), "NULL");
    FAILS(impinge_report_save(report, "json", 4, "no such folder/x", IMPINGE_CSTRING), IMPINGE_STATUS_IO,
          "no such folder");
    REFUSED(impinge_report_write(report, "docx", 4, NULL, 0, &count), "docx");
    REFUSED(impinge_report_write(NULL, "json", 4, NULL, 0, &count), "NULL");
    REFUSED(impinge_report_write(report, "json", 4, NULL, 0, NULL), "the count");
    impinge_report_free(report);
    impinge_report_free(NULL);

    // Options.
    options = impinge_check_options_default();
    options.touching = options.contacts = options.floating = options.self_intersections = true;
    options.depths = false;
    options.chord = 0.01;
    OK(impinge_check(assembly, &options, &report));
    OK(impinge_report_findings(report, findings, 4, &count));
    CHECK(findings[0].sure != IMPINGE_SURE_UNKNOWN && isnan(findings[0].overlap_volume.lo));
    impinge_report_free(report);
    options = impinge_check_options_default();
    options.surfaces = true;
    OK(impinge_check(assembly, &options, &report));
    OK(impinge_report_findings(report, findings, 4, &count));
    CHECK(findings[0].kind == IMPINGE_FINDING_KIND_MEET);
    impinge_report_free(report);
    options = impinge_check_options_default();
    options.tolerance = 5;
    OK(impinge_check(assembly, &options, &report));
    OK(impinge_report_counts(report, &counts));
    CHECK(counts.findings == 0);
    impinge_report_free(report);
    options = impinge_check_options_default();
    options.rules = "version = 1\n[sets]\nleft = \"left\"\n[[ignore]]\nreason = \"a fit\"\na = \"left\"\n";
    options.rules_length = IMPINGE_CSTRING;
    OK(impinge_check(assembly, &options, &report));
    OK(impinge_report_counts(report, &counts));
    CHECK(counts.findings == 1);
    impinge_report_free(report);
    options.rules = "version = ";
    REFUSED(impinge_check(assembly, &options, &report), "rules");
    CHECK(report == NULL);
    options = impinge_check_options_default();
    CHECK(options.max_pairs == 3000000 && options.unit == NULL && !options.rounding);
    options.unit = "mmm";
    options.unit_length = 2;
    options.rounding = true;
    OK(impinge_check(assembly, &options, &report));
    static uint8_t json[1 << 16];
    OK(impinge_report_write(report, "json", 4, json, sizeof json - 1, &count));
    CHECK(strstr((const char *)json, "\"mm\"") != NULL);
    impinge_report_free(report);
    options.unit_length = IMPINGE_CSTRING;
    REFUSED(impinge_check(assembly, &options, &report), "unit: 'mmm' is");
    options.unit_length = 0;
    REFUSED(impinge_check(assembly, &options, &report), "unit: '' is");
    options = impinge_check_options_default();
    options.max_pairs = 0;
    REFUSED(impinge_check(assembly, &options, &report), "at most 0 are tested");
    options = impinge_check_options_default();
    options.clearance = NAN;
    REFUSED(impinge_check(assembly, &options, &report), "clearance");
    options = impinge_check_options_default();
    options.fill_rule = (impinge_fill_rule)5;
    REFUSED(impinge_check(assembly, &options, &report), "5 is no fill rule");
    impinge_stop *stop;
    OK(impinge_stop_new(&stop));
    OK(impinge_stop_set(stop, true));
    options = impinge_check_options_default();
    options.stop = stop;
    FAILS(impinge_check(assembly, &options, &report), IMPINGE_STATUS_STOPPED, "cancelled");
    impinge_stop_free(stop);
    OK(impinge_check(assembly, NULL, &report));
    REFUSED(impinge_check(assembly, NULL, NULL), "NULL");
    impinge_report *other;
    REFUSED(impinge_check(NULL, NULL, &other), "NULL");

    // A report outlives its assembly, and does not see its changes.
    OK(impinge_assembly_add(assembly, "late", 4, mesh, NULL));
    impinge_assembly_free(assembly);
    impinge_assembly_free(NULL);
    OK(impinge_report_counts(report, &counts));
    CHECK(counts.parts == 3);
    impinge_report_free(report);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    memset(&bad_pose, 0, sizeof bad_pose);
    OK(impinge_mesh_new_box(2, 2, 2, &mesh));
    OK(impinge_model_new(mesh, &cube));
    check_scenes();
    impinge_model_free(cube);
    reports(arguments[1]);
    affine_parts();
    impinge_mesh_free(mesh);
    return 0;
}
