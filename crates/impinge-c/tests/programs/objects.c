// Meshes, models, poses, bodies: each function with good arguments, and with bad ones.
#include "test.h"
#include <math.h>

static const double POINTS[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2};
static const uint32_t TRIANGLES[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

static void meshes(const char *folder) {
    impinge_mesh *mesh;
    OK(impinge_mesh_new(POINTS, 4, TRIANGLES, 4, &mesh));
    size_t points, triangles;
    OK(impinge_mesh_size(mesh, &points, &triangles));
    CHECK(points == 4 && triangles == 4);
    REFUSED(impinge_mesh_size(NULL, &points, &triangles), "impinge_mesh is NULL");
    REFUSED(impinge_mesh_size(mesh, NULL, &triangles), "out_points");
    REFUSED(impinge_mesh_size(mesh, &points, NULL), "out_triangles");

    double room[12];
    uint32_t corners[12];
    size_t count = 99;
    OK(impinge_mesh_points(mesh, room, 4, &count));
    CHECK(count == 4 && memcmp(room, POINTS, sizeof room) == 0);
    OK(impinge_mesh_triangles(mesh, corners, 4, &count));
    CHECK(count == 4 && memcmp(corners, TRIANGLES, sizeof corners) == 0);
    room[9] = 7;
    FAILS(impinge_mesh_points(mesh, room, 3, &count), IMPINGE_STATUS_BUFFER_TOO_SMALL, "3 of 4");
    CHECK(count == 4 && room[9] == 7);
    FAILS(impinge_mesh_points(mesh, NULL, 0, &count), IMPINGE_STATUS_BUFFER_TOO_SMALL, "0 of 4");
    FAILS(impinge_mesh_triangles(mesh, NULL, 0, &count), IMPINGE_STATUS_BUFFER_TOO_SMALL, "0 of 4");
    REFUSED(impinge_mesh_points(mesh, NULL, 4, &count), "the buffer is NULL");
    REFUSED(impinge_mesh_points(mesh, room, 4, NULL), "the count is NULL");
    REFUSED(impinge_mesh_points(NULL, room, 4, &count), "NULL");
    REFUSED(impinge_mesh_triangles(NULL, corners, 4, &count), "NULL");
    impinge_mesh_free(mesh);
    impinge_mesh_free(NULL);

    // What is no mesh.
    double bad[12];
    memcpy(bad, POINTS, sizeof bad);
    bad[4] = NAN;
    REFUSED(impinge_mesh_new(bad, 4, TRIANGLES, 4, &mesh), "vertex 1");
    CHECK(mesh == NULL);
    bad[4] = INFINITY;
    REFUSED(impinge_mesh_new(bad, 4, TRIANGLES, 4, &mesh), "vertex 1");
    REFUSED(impinge_mesh_new(POINTS, 3, TRIANGLES, 4, &mesh), "vertex 3");
    REFUSED(impinge_mesh_new(NULL, 4, TRIANGLES, 4, &mesh), "points is NULL");
    REFUSED(impinge_mesh_new(POINTS, 4, NULL, 4, &mesh), "triangles is NULL");
    REFUSED(impinge_mesh_new(POINTS, SIZE_MAX, TRIANGLES, 4, &mesh), "points");
    REFUSED(impinge_mesh_new(POINTS, 4, TRIANGLES, SIZE_MAX / 2, &mesh), "triangles");
    REFUSED(impinge_mesh_new(POINTS, 4, TRIANGLES, 4, NULL), "new handle");
    OK(impinge_mesh_new(NULL, 0, NULL, 0, &mesh));
    OK(impinge_mesh_size(mesh, &points, &triangles));
    CHECK(points == 0 && triangles == 0);
    impinge_mesh_free(mesh);

    OK(impinge_mesh_new_box(1, 2, 3, &mesh));
    impinge_mesh_free(mesh);
    REFUSED(impinge_mesh_new_box(1, 0, 3, &mesh), "0");
    REFUSED(impinge_mesh_new_box(1, NAN, 3, &mesh), "NaN");
    REFUSED(impinge_mesh_new_box(1, 2, 3, NULL), "NULL");

    // Files and their content.
    const char off[] = "OFF\n4 4 0\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
    const uint8_t *bytes = (const uint8_t *)off;
    OK(impinge_mesh_parse(bytes, strlen(off), "off", 3, &mesh));
    OK(impinge_mesh_points(mesh, room, 4, &count));
    CHECK(memcmp(room, POINTS, sizeof room) == 0);
    impinge_mesh_free(mesh);
    OK(impinge_mesh_parse(bytes, strlen(off), NULL, 0, &mesh));
    impinge_mesh_free(mesh);
    FAILS(impinge_mesh_parse(bytes, 20, "off", IMPINGE_CSTRING, &mesh), IMPINGE_STATUS_INVALID_CONTENT,
          "memory");
    CHECK(mesh == NULL);
    FAILS(impinge_mesh_parse(NULL, 0, "off", 3, &mesh), IMPINGE_STATUS_INVALID_CONTENT, "memory");
    REFUSED(impinge_mesh_parse(bytes, strlen(off), "docx", 4, &mesh), "docx");
    REFUSED(impinge_mesh_parse(bytes, strlen(off), NULL, 4, &mesh), "extension is NULL");
    REFUSED(impinge_mesh_parse(bytes, strlen(off), "\xff", 1, &mesh), "UTF-8");
    REFUSED(impinge_mesh_parse(NULL, 7, "off", 3, &mesh), "bytes is NULL");
    REFUSED(impinge_mesh_parse(bytes, strlen(off), "off", 3, NULL), "NULL");

    char path[4096];
    snprintf(path, sizeof path, "%s/tetrahedron.off", folder);
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(off, 1, strlen(off), file) == strlen(off) && fclose(file) == 0);
    OK(impinge_mesh_read(path, strlen(path), &mesh));
    impinge_mesh_free(mesh);
    OK(impinge_mesh_read(path, IMPINGE_CSTRING, &mesh));
    impinge_mesh_free(mesh);
    REFUSED(impinge_mesh_read(path, IMPINGE_CSTRING, NULL), "NULL");
    REFUSED(impinge_mesh_read(NULL, IMPINGE_CSTRING, &mesh), "path is NULL");
    FAILS(impinge_mesh_read("no such file.off", IMPINGE_CSTRING, &mesh), IMPINGE_STATUS_IO,
          "no such file.off");
    CHECK(mesh == NULL);
}

static void models(const char *folder) {
    impinge_mesh *mesh;
    impinge_model *model, *again;
    OK(impinge_mesh_new(POINTS, 4, TRIANGLES, 4, &mesh));
    OK(impinge_model_new(mesh, &model));
    impinge_mesh_free(mesh);
    REFUSED(impinge_model_new(NULL, &again), "impinge_mesh is NULL");
    CHECK(again == NULL);

    impinge_model_facts facts;
    OK(impinge_model_get_facts(model, &facts));
    CHECK(facts.closedness == IMPINGE_CLOSEDNESS_CLOSED && facts.open_edges == 0 && facts.shells == 1);
    CHECK(facts.volume.lo <= 8.0 / 6.0 && 8.0 / 6.0 <= facts.volume.hi);
    CHECK(facts.lower[1] == 0 && facts.upper[1] == 2);
    REFUSED(impinge_model_get_facts(NULL, &facts), "NULL");
    REFUSED(impinge_model_get_facts(model, NULL), "out_facts");

    char path[4096];
    snprintf(path, sizeof path, "%s/tetrahedron.model", folder);
    OK(impinge_model_save(model, path, IMPINGE_CSTRING));
    REFUSED(impinge_model_save(NULL, path, IMPINGE_CSTRING), "NULL");
    REFUSED(impinge_model_save(model, NULL, 3), "path is NULL");
    FAILS(impinge_model_save(model, "no such folder/x", IMPINGE_CSTRING), IMPINGE_STATUS_IO,
          "no such folder");
    OK(impinge_model_open(path, strlen(path), &again));
    OK(impinge_model_get_facts(again, &facts));
    CHECK(facts.shells == 1);
    impinge_model_free(again);
    REFUSED(impinge_model_open(NULL, IMPINGE_CSTRING, &again), "path is NULL");
    REFUSED(impinge_model_open(path, strlen(path), NULL), "NULL");
    FAILS(impinge_model_open("no such file", IMPINGE_CSTRING, &again), IMPINGE_STATUS_IO, "no such file");
    snprintf(path, sizeof path, "%s/tetrahedron.off", folder);
    FAILS(impinge_model_open(path, strlen(path), &again), IMPINGE_STATUS_INVALID_CONTENT, "tetrahedron.off");
    CHECK(again == NULL);

    // An open mesh, and an empty one.
    OK(impinge_mesh_new(POINTS, 4, TRIANGLES, 3, &mesh));
    OK(impinge_model_new(mesh, &again));
    impinge_mesh_free(mesh);
    OK(impinge_model_get_facts(again, &facts));
    CHECK(facts.closedness == IMPINGE_CLOSEDNESS_OPEN && facts.open_edges == 3 && isnan(facts.volume.lo));
    impinge_model_free(again);
    OK(impinge_mesh_new(NULL, 0, NULL, 0, &mesh));
    OK(impinge_model_new(mesh, &again));
    impinge_mesh_free(mesh);
    OK(impinge_model_get_facts(again, &facts));
    impinge_model_free(again);
    impinge_model_free(model);
    impinge_model_free(NULL);
}

static void poses(void) {
    const double quarter[] = {0, 0, 1, 1}, none[] = {0, 0, 0, 0}, bad[] = {0, NAN, 1}, t[] = {1, 2, 3};
    impinge_pose pose, other;
    OK(impinge_pose_from_quaternion(quarter, t, &pose));
    CHECK(fabs(pose.rotation[0][1] + 1) < 1e-15 && fabs(pose.rotation[1][0] - 1) < 1e-15);
    CHECK(pose.translation[2] == 3);
    REFUSED(impinge_pose_from_quaternion(none, t, &pose), "quaternion");
    REFUSED(impinge_pose_from_quaternion(quarter, bad, &pose), "NaN");
    REFUSED(impinge_pose_from_quaternion(NULL, t, &pose), "quaternion is NULL");
    REFUSED(impinge_pose_from_quaternion(quarter, NULL, &pose), "translation is NULL");
    REFUSED(impinge_pose_from_quaternion(quarter, t, NULL), "out_pose");

    OK(impinge_pose_inverse(&pose, &other));
    OK(impinge_pose_then(&pose, &other, &other));
    CHECK(fabs(other.translation[0]) < 1e-15 && fabs(other.rotation[0][0] - 1) < 1e-15);
    OK(impinge_pose_then(NULL, NULL, &other));
    CHECK(other.rotation[2][2] == 1 && other.translation[2] == 0);
    OK(impinge_pose_inverse(NULL, &other));
    REFUSED(impinge_pose_inverse(&pose, NULL), "out_pose");
    REFUSED(impinge_pose_then(&pose, &pose, NULL), "out_pose");
    other = impinge_pose_at(NAN, 0, 0);
    REFUSED(impinge_pose_inverse(&other, &other), "NaN");
    REFUSED(impinge_pose_then(&other, NULL, &other), "NaN");
    REFUSED(impinge_pose_then(NULL, &other, &other), "NaN");

    other = pose;
    other.rotation[0][1] += 1e-4;
    FAILS(impinge_pose_inverse(&other, &pose), IMPINGE_STATUS_INVALID_ARGUMENT, "rigid");
    OK(impinge_pose_nearest_rigid(&other, &other));
    OK(impinge_pose_inverse(&other, &pose));
    REFUSED(impinge_pose_nearest_rigid(NULL, &other), "pose is NULL");
    REFUSED(impinge_pose_nearest_rigid(&other, NULL), "out_pose");
    memset(&other, 0, sizeof other);
    CHECK(impinge_pose_nearest_rigid(&other, &other) == IMPINGE_STATUS_INVALID_ARGUMENT);
}

static void bodies(void) {
    impinge_mesh *mesh;
    impinge_model *model;
    impinge_body *body, *floor;
    OK(impinge_mesh_new_box(1, 1, 1, &mesh));
    OK(impinge_model_new(mesh, &model));
    OK(impinge_body_new(model, NULL, &body));
    impinge_mesh_free(mesh);
    impinge_pose pose = impinge_pose_at(1, 2, 3), bad;
    memset(&bad, 0, sizeof bad);
    OK(impinge_body_set_pose(body, &pose));
    OK(impinge_body_set_pose(body, NULL));
    REFUSED(impinge_body_set_pose(body, &bad), "rigid");
    REFUSED(impinge_body_set_pose(NULL, &pose), "NULL");
    OK(impinge_body_set_radius(body, 0.5));
    OK(impinge_body_set_radius(body, 0));
    REFUSED(impinge_body_set_radius(body, -1), "-1");
    REFUSED(impinge_body_set_radius(body, NAN), "NaN");
    REFUSED(impinge_body_set_radius(NULL, 1), "NULL");

    const double up[] = {0, 0, 1}, none[] = {0, 0, 0}, nan[] = {0, 0, NAN};
    OK(impinge_body_new_half_space(up, 1, &floor));
    FAILS(impinge_body_set_pose(floor, NULL), IMPINGE_STATUS_UNSUPPORTED, "half-space");
    FAILS(impinge_body_set_radius(floor, 1), IMPINGE_STATUS_UNSUPPORTED, "half-space");
    impinge_body_free(floor);
    REFUSED(impinge_body_new_half_space(none, 1, &floor), "normal");
    CHECK(floor == NULL);
    REFUSED(impinge_body_new_half_space(nan, 1, &floor), "finite");
    REFUSED(impinge_body_new_half_space(up, INFINITY, &floor), "finite");
    REFUSED(impinge_body_new_half_space(NULL, 1, &floor), "normal is NULL");
    REFUSED(impinge_body_new_half_space(up, 1, NULL), "NULL");

    impinge_body *other = body;
    REFUSED(impinge_body_new(NULL, NULL, &other), "impinge_model is NULL");
    CHECK(other == NULL);
    REFUSED(impinge_body_new(model, &bad, &other), "rigid");
    REFUSED(impinge_body_new(model, NULL, NULL), "NULL");
    impinge_model_free(model);
    impinge_body_free(body);
    impinge_body_free(NULL);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    CHECK(strcmp(impinge_last_error(), "") == 0);
    CHECK(strcmp(impinge_version(), "0.1.0") == 0);
    CHECK(strcmp(impinge_status_name(IMPINGE_STATUS_BUFFER_TOO_SMALL), "buffer too small") == 0);
    CHECK(strcmp(impinge_status_name((impinge_status)77), "unknown status") == 0);
    meshes(arguments[1]);
    models(arguments[1]);
    poses();
    bodies();
    return 0;
}
