// Reads poses and points from the file `input`, and writes the results of ten queries of each to `output`.
#include "test.h"
#include <math.h>

static void put(FILE *out, const void *bytes, size_t size) { CHECK(fwrite(bytes, 1, size, out) == size); }
static void put_number(FILE *out, double x) { put(out, &x, sizeof x); }
static void put_byte(FILE *out, int x) {
    uint8_t byte = (uint8_t)x;
    put(out, &byte, 1);
}

int main(void) {
    impinge_mesh *mesh;
    impinge_model *model;
    impinge_body *a, *b;
    impinge_query *query;
    OK(impinge_mesh_new_box(2, 2, 2, &mesh));
    OK(impinge_model_new(mesh, &model));
    OK(impinge_body_new(model, NULL, &a));
    OK(impinge_body_new(model, NULL, &b));
    OK(impinge_query_new(&query));
    FILE *in = fopen("input", "rb"), *out = fopen("output", "wb");
    CHECK(in && out);
    double numbers[15];
    while (fread(numbers, sizeof numbers, 1, in) == 1) {
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
        impinge_pair none = {UINT32_MAX, UINT32_MAX};
        put(out, contact.found ? &contact.pair : &none, sizeof none);
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
    }
    CHECK(fclose(in) == 0 && fclose(out) == 0);
    impinge_query_free(query);
    impinge_body_free(b);
    impinge_body_free(a);
    impinge_model_free(model);
    impinge_mesh_free(mesh);
    return 0;
}
