// Reads poses and points from the file `input`, and writes the results of ten queries of each to `output`.
#include "test.h"
#include <math.h>

static void put(FILE *out, const void *bytes, size_t size) { CHECK(fwrite(bytes, 1, size, out) == size); }
static void put_number(FILE *out, double x) { put(out, &x, sizeof x); }
static void put_byte(FILE *out, int x) {
    uint8_t byte = (uint8_t)x;
    put(out, &byte, 1);
}

static impinge_query *query;
static impinge_model *model;
static impinge_body *a, *b;

static void put_contact(FILE *out, impinge_contact contact) {
    const impinge_pair none = {UINT32_MAX, UINT32_MAX};
    put(out, contact.found ? &contact.pair : &none, sizeof none);
}

// Lists of pairs, proxies, and an affine pose.
static void more(FILE *out, const impinge_pose *pose, const double *point) {
    bool overlap, meet[3];
    impinge_contact contact, contacts[3];
    OK(impinge_overlaps(query, a, b, &overlap));
    put_byte(out, overlap);
    OK(impinge_first_within(query, a, b, 0.5, &contact));
    put_contact(out, contact);
    OK(impinge_self_first_contact(query, model, &contact));
    put_contact(out, contact);
    impinge_accuracy accuracy = impinge_accuracy_default();
    impinge_farthest_result farthest;
    accuracy.relative = 0.125;
    OK(impinge_farthest_distance(query, a, b, IMPINGE_SIDE_ANY, &accuracy, &farthest));
    put_number(out, farthest.lo);
    put_number(out, farthest.hi);

    impinge_pose twice = *pose;
    for (int i = 0; i < 9; i++) {
        twice.rotation[i / 3][i % 3] *= -2;
    }
    impinge_body *large, *rounded;
    OK(impinge_body_new_affine(model, &twice, &large));
    const impinge_body_pair pairs[] = {{a, b}, {b, a}, {a, large}};
    OK(impinge_intersects_each(query, pairs, 3, meet));
    for (int i = 0; i < 3; i++) {
        put_byte(out, meet[i]);
    }
    OK(impinge_first_contact_each(query, pairs, 3, contacts));
    for (int i = 0; i < 3; i++) {
        put_contact(out, contacts[i]);
    }
    impinge_pair list[3 * 144];
    size_t ends[3], count;
    OK(impinge_pairs_each(query, pairs, 3, ends, list, 3 * 144, &count));
    for (int i = 0; i < 3; i++) {
        uint64_t end = ends[i];
        put(out, &end, sizeof end);
    }
    put(out, list, count * sizeof *list);
    impinge_relation_result relations[3];
    OK(impinge_relation_each(query, pairs, 3, relations));
    for (int i = 0; i < 3; i++) {
        put_byte(out, (int)relations[i].kind);
    }
    impinge_distance_result distances[3];
    OK(impinge_distance_each(query, pairs, 3, NULL, distances));
    for (int i = 0; i < 3; i++) {
        put_number(out, distances[i].lo);
        put_number(out, distances[i].hi);
    }
    OK(impinge_query_set_affine(query, true));
    OK(impinge_intersects_at(query, a, model, &twice, 1, meet));
    put_byte(out, meet[0]);
    impinge_pose path[2];
    path[0] = impinge_pose_at(8, 0, 0);
    path[1] = *pose;
    const impinge_moving_pair moving[] = {{{a, NULL, 0}, {b, path, 2}}, {{large, NULL, 0}, {a, NULL, 0}}};
    impinge_sweep_options sweep_options = impinge_sweep_options_default();
    impinge_sweep_result sweeps[2];
    sweep_options.resolution = 0.01;
    OK(impinge_sweep_each(query, moving, 2, &sweep_options, sweeps));
    for (int i = 0; i < 2; i++) {
        put_number(out, sweeps[i].free_until);
        put_number(out, isnan(sweeps[i].meets_at) ? -1 : sweeps[i].meets_at);
    }

    const double ball[] = {0, 0, 0, 1.5};
    const double cylinder[] = {0, 0, 0, point[0], point[1], point[2], 0.5};
    OK(impinge_body_new(model, pose, &rounded));
    OK(impinge_body_set_radius(rounded, 0.25));
    const impinge_body *bodies[] = {rounded};
    const impinge_proxy proxy = {ball, 1, cylinder, 1, bodies, 1};
    impinge_excess_options options = impinge_excess_options_default();
    impinge_excess_result excess;
    options.accuracy = 0.25;
    options.most_cells = 200;
    OK(impinge_excess(query, a, &proxy, &options, &excess));
    put_number(out, excess.distance.lo);
    put_number(out, excess.distance.hi);
    for (int i = 0; i < 3; i++) {
        put_number(out, isnan(excess.witness[i]) ? 0 : excess.witness[i]);
    }
    put(out, &excess.cells, sizeof excess.cells);
    impinge_interval interval;
    OK(impinge_proxy_volume(query, &proxy, &options, &interval));
    put(out, &interval, sizeof interval);
    OK(impinge_point_depths(query, &proxy, point, 1, &interval));
    put(out, &interval, sizeof interval);
    impinge_coverage_options covering = impinge_coverage_options_default();
    impinge_coverage_result coverage;
    covering.verdict_only = true;
    covering.most_pieces = 200;
    OK(impinge_coverage(query, a, &proxy, &covering, &coverage));
    put_byte(out, (int)coverage.kind);
    put(out, &coverage.depth, sizeof coverage.depth);
    put(out, &coverage.pieces, sizeof coverage.pieces);
    impinge_body_free(rounded);
    impinge_body_free(large);
}

int main(void) {
    impinge_mesh *mesh;
    OK(impinge_mesh_new_box(2, 2, 2, &mesh));
    OK(impinge_model_new(mesh, &model));
    OK(impinge_body_new(model, NULL, &a));
    OK(impinge_body_new(model, NULL, &b));
    OK(impinge_query_new(&query));
    FILE *in = fopen("input", "rb"), *out = fopen("output", "wb");
    CHECK(in && out);
    double numbers[15];
    for (int i = 0; fread(numbers, sizeof numbers, 1, in) == 1; i++) {
        impinge_pose pose;
        memcpy(pose.rotation, numbers, sizeof pose.rotation);
        memcpy(pose.translation, numbers + 9, sizeof pose.translation);
        const double *point = numbers + 12;
        OK(impinge_body_set_pose(b, &pose));

        bool meet, near;
        OK(impinge_intersects(query, a, b, &meet));
        put_byte(out, meet);
        impinge_contact contact;
        OK(impinge_first_contact(query, a, b, &contact));
        put_contact(out, contact);
        impinge_pair pairs[144];
        size_t count;
        OK(impinge_pairs(query, a, b, pairs, 144, &count));
        uint64_t long_count = count;
        put(out, &long_count, sizeof long_count);
        put(out, pairs, count * sizeof *pairs);
        OK(impinge_within(query, a, b, 0.5, &near));
        put_byte(out, near);
        impinge_distance_result distance;
        OK(impinge_distance(query, a, b, NULL, &distance));
        put_number(out, distance.lo);
        put_number(out, distance.hi);
        put(out, distance.point_a, sizeof distance.point_a);
        put(out, distance.point_b, sizeof distance.point_b);
        impinge_relation_result relation;
        OK(impinge_relation(query, a, b, &relation));
        put_byte(out, (int)relation.kind);
        put_byte(out, relation.touching);
        impinge_closest closest;
        OK(impinge_closest_points(query, b, point, 1, NULL, &closest));
        put_number(out, closest.lo);
        put_number(out, closest.hi);
        put(out, closest.point, sizeof closest.point);
        impinge_location location;
        OK(impinge_locate(query, b, point, 1, &location));
        put_byte(out, (int)location);
        impinge_ray ray = {{point[0], point[1], point[2]}, {1, 0.25, -0.5}, INFINITY};
        OK(impinge_ray_meets(query, b, &ray, 1, &meet));
        put_byte(out, meet);
        impinge_ray_hit hit;
        OK(impinge_ray_first(query, b, &ray, 1, &hit));
        uint32_t triangle = hit.found ? hit.triangle : UINT32_MAX;
        put(out, &triangle, sizeof triangle);
        put_number(out, hit.enter.lo);
        put_number(out, hit.enter.hi);
        if (i % 10 == 0) {
            more(out, &pose, point);
        }
    }
    CHECK(fclose(in) == 0 && fclose(out) == 0);
    impinge_query_free(query);
    impinge_body_free(b);
    impinge_body_free(a);
    impinge_model_free(model);
    impinge_mesh_free(mesh);
    return 0;
}
