// Queries of two bodies, of points and of rays: each function with good arguments, and with bad ones.
#include "test.h"
#include <math.h>

static impinge_query *query;
static impinge_model *cube, *empty, *sheet;
static impinge_body *a, *b, *far_away, *rounded, *floor_body, *flat;
static impinge_pose poses[3], bad_pose;

static const impinge_status UNSUPPORTED = IMPINGE_STATUS_UNSUPPORTED;
static const impinge_status SMALL = IMPINGE_STATUS_BUFFER_TOO_SMALL;

static void make(void) {
    impinge_mesh *mesh;
    const double up[] = {0, 0, 1};
    const double corners[] = {-3, -3, 0.25, 3, -3, 0.25, 0, 3, 0.25};
    const uint32_t triangle[] = {0, 1, 2};
    OK(impinge_query_new(&query));
    OK(impinge_mesh_new_box(2, 2, 2, &mesh));
    OK(impinge_model_new(mesh, &cube));
    impinge_mesh_free(mesh);
    OK(impinge_mesh_new(NULL, 0, NULL, 0, &mesh));
    OK(impinge_model_new(mesh, &empty));
    impinge_mesh_free(mesh);
    OK(impinge_mesh_new(corners, 3, triangle, 1, &mesh));
    OK(impinge_model_new(mesh, &sheet));
    impinge_mesh_free(mesh);
    poses[0] = impinge_pose_at(1, 0.5, 0.25);
    poses[1] = impinge_pose_at(2, 0, 0);
    poses[2] = impinge_pose_at(5, 0, 0);
    memset(&bad_pose, 0, sizeof bad_pose);
    OK(impinge_body_new(cube, NULL, &a));
    OK(impinge_body_new(cube, &poses[0], &b));
    OK(impinge_body_new(cube, &poses[2], &far_away));
    OK(impinge_body_new(cube, &poses[2], &rounded));
    OK(impinge_body_set_radius(rounded, 3));
    OK(impinge_body_new(sheet, NULL, &flat));
    OK(impinge_body_new_half_space(up, -2, &floor_body));
}

static void settings(void) {
    impinge_query *other;
    impinge_stop *stop;
    bool meet;
    OK(impinge_query_new(&other));
    REFUSED(impinge_query_new(NULL), "NULL");
    OK(impinge_query_set_threads(other, 2));
    OK(impinge_query_set_threads(other, 0));
    OK(impinge_query_set_threads(other, 1));
    REFUSED(impinge_query_set_threads(NULL, 1), "NULL");
    OK(impinge_query_set_fill_rule(other, IMPINGE_FILL_RULE_EVEN_ODD));
    OK(impinge_query_set_fill_rule(other, IMPINGE_FILL_RULE_POSITIVE));
    REFUSED(impinge_query_set_fill_rule(other, (impinge_fill_rule)3), "3 is no fill rule");
    REFUSED(impinge_query_set_fill_rule(NULL, IMPINGE_FILL_RULE_POSITIVE), "NULL");
    OK(impinge_stop_new(&stop));
    REFUSED(impinge_stop_new(NULL), "NULL");
    OK(impinge_query_set_stop(other, stop));
    OK(impinge_intersects(other, a, b, &meet));
    OK(impinge_stop_set(stop, true));
    FAILS(impinge_intersects(other, a, b, &meet), IMPINGE_STATUS_STOPPED, "stop");
    OK(impinge_stop_set(stop, false));
    OK(impinge_intersects(other, a, b, &meet));
    REFUSED(impinge_stop_set(NULL, false), "NULL");
    REFUSED(impinge_query_set_stop(NULL, stop), "NULL");
    OK(impinge_query_set_stop(other, NULL));
    impinge_stop_free(stop);
    impinge_stop_free(NULL);
    impinge_query_free(other);
    impinge_query_free(NULL);
}

// Each of these queries refuses NULL for every handle and result.
#define NULLS(name, out, ...)                                                                                \
    REFUSED(name(NULL, a, b, __VA_ARGS__), "impinge_query is NULL");                                         \
    REFUSED(name(query, NULL, b, __VA_ARGS__), "impinge_body is NULL");                                      \
    REFUSED(name(query, a, NULL, __VA_ARGS__), "impinge_body is NULL")

static void pairs(void) {
    bool meet, meets[3];
    OK(impinge_intersects(query, a, b, &meet));
    CHECK(meet);
    OK(impinge_intersects(query, a, far_away, &meet));
    CHECK(!meet);
    OK(impinge_intersects(query, a, rounded, &meet));
    CHECK(meet);
    OK(impinge_intersects(query, a, floor_body, &meet));
    CHECK(!meet);
    FAILS(impinge_intersects(query, floor_body, a, &meet), UNSUPPORTED, "half-space");
    NULLS(impinge_intersects, &meet, &meet);
    REFUSED(impinge_intersects(query, a, b, NULL), "out_meet");

    OK(impinge_intersects_at(query, a, cube, poses, 3, meets));
    CHECK(meets[0] && meets[1] && !meets[2]);
    OK(impinge_intersects_at(query, floor_body, cube, poses, 3, meets));
    CHECK(!meets[0]);
    OK(impinge_intersects_at(query, a, empty, poses, 3, meets));
    CHECK(!meets[0]);
    OK(impinge_intersects_at(query, a, cube, NULL, 0, NULL));
    REFUSED(impinge_intersects_at(query, a, cube, NULL, 3, meets), "poses is NULL");
    REFUSED(impinge_intersects_at(query, a, cube, poses, 3, NULL), "out_meet is NULL");
    REFUSED(impinge_intersects_at(query, a, cube, &bad_pose, 1, meets), "poses[0]");
    REFUSED(impinge_intersects_at(NULL, a, cube, poses, 3, meets), "NULL");
    REFUSED(impinge_intersects_at(query, NULL, cube, poses, 3, meets), "NULL");
    REFUSED(impinge_intersects_at(query, a, NULL, poses, 3, meets), "NULL");

    impinge_contact contact, contacts[3];
    OK(impinge_first_contact(query, a, b, &contact));
    CHECK(contact.found && contact.pair.a < 12 && contact.pair.b < 12);
    OK(impinge_first_contact(query, a, far_away, &contact));
    CHECK(!contact.found && contact.pair.a == 0);
    NULLS(impinge_first_contact, contact, &contact);
    REFUSED(impinge_first_contact(query, a, b, NULL), "out_contact");
    OK(impinge_first_contact_at(query, a, cube, poses, 3, contacts));
    CHECK(contacts[0].found && contacts[1].found && !contacts[2].found);
    REFUSED(impinge_first_contact_at(query, a, cube, &bad_pose, 1, contacts), "poses[0]");
    REFUSED(impinge_first_contact_at(query, a, cube, poses, 1, NULL), "out_contacts");
    REFUSED(impinge_first_contact_at(NULL, a, cube, poses, 1, contacts), "NULL");
    REFUSED(impinge_first_contact_at(query, NULL, cube, poses, 1, contacts), "NULL");
    REFUSED(impinge_first_contact_at(query, a, NULL, poses, 1, contacts), "NULL");

    size_t count, again, ends[3];
    FAILS(impinge_pairs(query, a, b, NULL, 0, &count), SMALL, "0 of");
    CHECK(count > 0 && count <= 144);
    impinge_pair list[200];
    OK(impinge_pairs(query, a, b, list, 200, &again));
    CHECK(again == count);
    list[1].a = 77;
    FAILS(impinge_pairs(query, a, b, list, 1, &again), SMALL, "1 of");
    CHECK(again == count && list[1].a == 77);
    OK(impinge_pairs(query, a, far_away, NULL, 0, &again));
    CHECK(again == 0);
    NULLS(impinge_pairs, count, list, 200, &count);
    REFUSED(impinge_pairs(query, a, b, NULL, 200, &count), "the buffer is NULL");
    REFUSED(impinge_pairs(query, a, b, list, 200, NULL), "the count is NULL");
    OK(impinge_pairs_at(query, a, cube, poses, 3, ends, list, 200, &again));
    CHECK(ends[0] == count && ends[1] > count && ends[2] == ends[1] && ends[2] == again);
    FAILS(impinge_pairs_at(query, a, cube, poses, 3, ends, list, 1, &again), SMALL, "1 of");
    CHECK(ends[2] == again);
    REFUSED(impinge_pairs_at(query, a, cube, poses, 3, NULL, list, 200, &again), "out_ends");
    REFUSED(impinge_pairs_at(query, a, cube, &bad_pose, 1, ends, list, 200, &again), "poses[0]");
    REFUSED(impinge_pairs_at(query, a, NULL, poses, 3, ends, list, 200, &again), "NULL");
    REFUSED(impinge_pairs_at(query, NULL, cube, poses, 3, ends, list, 200, &again), "NULL");
    REFUSED(impinge_pairs_at(NULL, a, cube, poses, 3, ends, list, 200, &again), "NULL");
    REFUSED(impinge_pairs_at(query, a, cube, poses, 3, ends, list, 200, NULL), "NULL");

    impinge_contact_point point;
    OK(impinge_pairs(query, a, b, list, 200, &count));
    OK(impinge_contact_points(a, b, list, 1, &point));
    CHECK(point.meets && fabs(point.point[0]) <= 2 && !isnan(point.normal_a[0]));
    OK(impinge_contact_points(a, b, NULL, 0, NULL));
    list[0].b = 12;
    REFUSED(impinge_contact_points(a, b, list, 1, &point), "pairs[0]");
    REFUSED(impinge_contact_points(a, b, NULL, 1, &point), "pairs is NULL");
    REFUSED(impinge_contact_points(a, b, list, 1, NULL), "out_points");
    REFUSED(impinge_contact_points(NULL, b, list, 1, &point), "NULL");
    REFUSED(impinge_contact_points(a, NULL, list, 1, &point), "NULL");
    FAILS(impinge_contact_points(a, floor_body, list, 1, &point), UNSUPPORTED, "half-space");

    OK(impinge_self_pairs(query, cube, list, 200, &count));
    CHECK(count == 0);
    OK(impinge_self_intersects(query, cube, &meet));
    CHECK(!meet);
    OK(impinge_self_first_contact(query, cube, &contact));
    CHECK(!contact.found);
    const double crossing[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0.5, 0.5, -1, 0.5, 0.5, 1, 3, 3, 1};
    const uint32_t both[] = {0, 1, 2, 3, 4, 5};
    impinge_mesh *mesh;
    impinge_model *model;
    OK(impinge_mesh_new(crossing, 6, both, 2, &mesh));
    OK(impinge_model_new(mesh, &model));
    impinge_mesh_free(mesh);
    FAILS(impinge_self_pairs(query, model, NULL, 0, &count), SMALL, "0 of 1");
    OK(impinge_self_pairs(query, model, list, 1, &count));
    CHECK(count == 1 && list[0].a == 0 && list[0].b == 1);
    OK(impinge_self_intersects(query, model, &meet));
    CHECK(meet);
    OK(impinge_self_first_contact(query, model, &contact));
    CHECK(contact.found && contact.pair.a == 0 && contact.pair.b == 1);
    impinge_model_free(model);
    REFUSED(impinge_self_pairs(query, NULL, list, 1, &count), "NULL");
    REFUSED(impinge_self_pairs(NULL, cube, list, 1, &count), "NULL");
    REFUSED(impinge_self_pairs(query, cube, list, 1, NULL), "NULL");
    REFUSED(impinge_self_first_contact(query, NULL, &contact), "NULL");
    REFUSED(impinge_self_first_contact(NULL, cube, &contact), "NULL");
    REFUSED(impinge_self_first_contact(query, cube, NULL), "out_contact");
    REFUSED(impinge_self_intersects(query, NULL, &meet), "NULL");
    REFUSED(impinge_self_intersects(NULL, cube, &meet), "NULL");
    REFUSED(impinge_self_intersects(query, cube, NULL), "out_meet");
}

static void distances(void) {
    bool near, nears[3];
    OK(impinge_within(query, a, far_away, 3, &near));
    CHECK(near);
    OK(impinge_within(query, a, far_away, nextafter(3, 0), &near));
    CHECK(!near);
    OK(impinge_within(query, a, floor_body, 1, &near));
    CHECK(near);
    NULLS(impinge_within, near, 1, &near);
    REFUSED(impinge_within(query, a, b, -1, &near), "-1");
    REFUSED(impinge_within(query, a, b, NAN, &near), "NaN");
    REFUSED(impinge_within(query, a, b, 1, NULL), "out_near");
    impinge_contact contact;
    OK(impinge_first_within(query, a, far_away, 3, &contact));
    CHECK(contact.found && contact.pair.a < 12 && contact.pair.b < 12);
    OK(impinge_first_within(query, a, far_away, nextafter(3, 0), &contact));
    CHECK(!contact.found);
    OK(impinge_first_within(query, a, floor_body, 1, &contact));
    CHECK(contact.found && contact.pair.b == 0);
    FAILS(impinge_first_within(query, floor_body, a, 1, &contact), UNSUPPORTED, "half-space");
    NULLS(impinge_first_within, contact, 1, &contact);
    REFUSED(impinge_first_within(query, a, b, -1, &contact), "-1");
    REFUSED(impinge_first_within(query, a, b, NAN, &contact), "NaN");
    REFUSED(impinge_first_within(query, a, b, 1, NULL), "out_contact");
    OK(impinge_within_at(query, a, cube, poses, 3, 2.5, nears));
    CHECK(nears[0] && nears[1] && !nears[2]);
    REFUSED(impinge_within_at(query, a, cube, poses, 3, NAN, nears), "NaN");
    REFUSED(impinge_within_at(query, a, cube, &bad_pose, 1, 1, nears), "poses[0]");
    REFUSED(impinge_within_at(query, a, cube, poses, 3, 1, NULL), "out_near");
    REFUSED(impinge_within_at(query, a, NULL, poses, 3, 1, nears), "NULL");
    REFUSED(impinge_within_at(query, NULL, cube, poses, 3, 1, nears), "NULL");
    REFUSED(impinge_within_at(NULL, a, cube, poses, 3, 1, nears), "NULL");

    impinge_pair list[200];
    size_t count;
    OK(impinge_pairs_within(query, a, far_away, 3, list, 200, &count));
    CHECK(count > 0);
    FAILS(impinge_pairs_within(query, a, far_away, 3, NULL, 0, &count), SMALL, "0 of");
    FAILS(impinge_pairs_within(query, a, far_away, 3, list, 1, &count), SMALL, "1 of");
    NULLS(impinge_pairs_within, count, 3, list, 200, &count);
    REFUSED(impinge_pairs_within(query, a, b, INFINITY, list, 200, &count), "inf");
    REFUSED(impinge_pairs_within(query, a, b, 3, list, 200, NULL), "the count");

    impinge_distance_result distance, all[3];
    impinge_accuracy accuracy = impinge_accuracy_default();
    OK(impinge_distance(query, a, far_away, NULL, &distance));
    CHECK(distance.found && distance.lo <= 3 && 3 <= distance.hi && distance.hi - distance.lo < 1e-12);
    CHECK(distance.point_a[0] == 1 && distance.point_b[0] == 4);
    accuracy.exact = true;
    OK(impinge_distance(query, a, far_away, &accuracy, &distance));
    CHECK(distance.lo == 3 && distance.hi == 3);
    accuracy.above = 2;
    OK(impinge_distance(query, a, far_away, &accuracy, &distance));
    CHECK(!distance.found && distance.hi == 0);
    accuracy = impinge_accuracy_default();
    accuracy.solids = true;
    accuracy.relative = 0.5;
    OK(impinge_distance(query, a, floor_body, &accuracy, &distance));
    CHECK(distance.found && distance.lo <= 1 && 1 <= distance.hi);
    NULLS(impinge_distance, distance, NULL, &distance);
    REFUSED(impinge_distance(query, a, b, NULL, NULL), "out_distance");
    accuracy.relative = NAN;
    REFUSED(impinge_distance(query, a, b, &accuracy, &distance), "NaN");
    accuracy.relative = 0;
    accuracy.absolute = -1;
    REFUSED(impinge_distance(query, a, b, &accuracy, &distance), "-1");
    accuracy.absolute = 0;
    accuracy.above = NAN;
    REFUSED(impinge_distance(query, a, b, &accuracy, &distance), "NaN");
    OK(impinge_distance_at(query, a, cube, poses, 3, NULL, all));
    CHECK(all[0].hi == 0 && all[1].hi == 0 && all[2].lo <= 3 && 3 <= all[2].hi);
    REFUSED(impinge_distance_at(query, a, cube, poses, 3, &accuracy, all), "NaN");
    REFUSED(impinge_distance_at(query, a, cube, &bad_pose, 1, NULL, all), "poses[0]");
    REFUSED(impinge_distance_at(query, a, cube, poses, 3, NULL, NULL), "out_distances");
    REFUSED(impinge_distance_at(query, a, NULL, poses, 3, NULL, all), "NULL");
    REFUSED(impinge_distance_at(query, NULL, cube, poses, 3, NULL, all), "NULL");
    REFUSED(impinge_distance_at(NULL, a, cube, poses, 3, NULL, all), "NULL");
    OK(impinge_distance_at(query, a, empty, poses, 3, NULL, all));
    CHECK(!all[0].found);
}

static void solids(void) {
    impinge_relation_result relation, relations[3];
    OK(impinge_relation(query, a, b, &relation));
    CHECK(relation.kind == IMPINGE_RELATION_KIND_OVERLAP && relation.touching && relation.witness.found);
    CHECK(relation.closedness_a == IMPINGE_CLOSEDNESS_CLOSED);
    OK(impinge_relation(query, a, flat, &relation));
    CHECK(relation.kind == IMPINGE_RELATION_KIND_PIERCE && relation.closedness_b == IMPINGE_CLOSEDNESS_OPEN);
    NULLS(impinge_relation, relation, &relation);
    REFUSED(impinge_relation(query, a, b, NULL), "out_relation");
    FAILS(impinge_relation(query, a, rounded, &relation), UNSUPPORTED, "radius");
    FAILS(impinge_relation(query, a, floor_body, &relation), UNSUPPORTED, "half-space");
    bool overlap;
    OK(impinge_overlaps(query, a, b, &overlap));
    CHECK(overlap);
    OK(impinge_overlaps(query, a, far_away, &overlap));
    CHECK(!overlap);
    NULLS(impinge_overlaps, overlap, &overlap);
    REFUSED(impinge_overlaps(query, a, b, NULL), "out_overlap");
    FAILS(impinge_overlaps(query, a, rounded, &overlap), UNSUPPORTED, "radius");
    FAILS(impinge_overlaps(query, floor_body, b, &overlap), UNSUPPORTED, "half-space");
    OK(impinge_relation_at(query, a, cube, poses, 3, relations));
    CHECK(relations[0].kind == IMPINGE_RELATION_KIND_OVERLAP);
    CHECK(relations[1].kind == IMPINGE_RELATION_KIND_TOUCH &&
          relations[2].kind == IMPINGE_RELATION_KIND_APART);
    REFUSED(impinge_relation_at(query, a, cube, &bad_pose, 1, relations), "poses[0]");
    REFUSED(impinge_relation_at(query, a, cube, poses, 3, NULL), "out_relations");
    REFUSED(impinge_relation_at(query, a, NULL, poses, 3, relations), "NULL");
    REFUSED(impinge_relation_at(query, NULL, cube, poses, 3, relations), "NULL");
    REFUSED(impinge_relation_at(NULL, a, cube, poses, 3, relations), "NULL");

    impinge_penetration_result depth;
    OK(impinge_penetration(query, a, b, 15, &depth));
    CHECK(depth.overlap_volume.lo <= 2.625 && 2.625 <= depth.overlap_volume.hi);
    CHECK(depth.interference_depth.hi > 0.2 && depth.depth_at_least > 0.2);
    CHECK(fabs(depth.separating_translation[0]) > 0.9 && depth.separating_distance.hi >= 1);
    OK(impinge_penetration(query, a, b, IMPINGE_OVERLAP_VOLUME, &depth));
    CHECK(depth.overlap_volume.hi > 2.6 && isnan(depth.separating_distance.hi) &&
          isnan(depth.depth_at_least));
    OK(impinge_penetration(query, a, b, 0, &depth));
    CHECK(isnan(depth.overlap_volume.lo));
    NULLS(impinge_penetration, depth, 1, &depth);
    REFUSED(impinge_penetration(query, a, b, 16, &depth), "16 is no sum");
    REFUSED(impinge_penetration(query, a, b, 1, NULL), "out_penetration");

    impinge_farthest_result farthest;
    OK(impinge_farthest_distance(query, a, far_away, IMPINGE_SIDE_ANY, NULL, &farthest));
    CHECK(farthest.kind == IMPINGE_FARTHEST_KIND_FOUND && farthest.lo <= 5 && 5 <= farthest.hi);
    OK(impinge_farthest_distance(query, a, far_away, IMPINGE_SIDE_INSIDE, NULL, &farthest));
    CHECK(farthest.kind == IMPINGE_FARTHEST_KIND_NO_POINT && farthest.hi == 0);
    OK(impinge_farthest_distance(query, a, flat, IMPINGE_SIDE_OUTSIDE, NULL, &farthest));
    CHECK(farthest.kind == IMPINGE_FARTHEST_KIND_NO_SOLID);
    NULLS(impinge_farthest_distance, farthest, IMPINGE_SIDE_ANY, NULL, &farthest);
    REFUSED(impinge_farthest_distance(query, a, b, (impinge_side)9, NULL, &farthest), "9 is no side");
    REFUSED(impinge_farthest_distance(query, a, b, IMPINGE_SIDE_ANY, NULL, NULL), "out_farthest");
    impinge_accuracy coarse = impinge_accuracy_default();
    coarse.relative = 0.5;
    OK(impinge_farthest_distance(query, a, far_away, IMPINGE_SIDE_ANY, &coarse, &farthest));
    CHECK(farthest.lo <= 5 && 5 <= farthest.hi && farthest.hi <= 1.5 * farthest.lo);
    coarse.absolute = NAN;
    REFUSED(impinge_farthest_distance(query, a, b, IMPINGE_SIDE_ANY, &coarse, &farthest), "NaN");

    impinge_certainty_kind certainty;
    OK(impinge_certainty(query, a, far_away, 1, 1, 0, &certainty));
    CHECK(certainty == IMPINGE_CERTAINTY_KIND_CLEAR);
    OK(impinge_certainty(query, a, far_away, 2, 2, 0, &certainty));
    CHECK(certainty == IMPINGE_CERTAINTY_KIND_POSSIBLE);
    OK(impinge_certainty(query, a, b, 0.01, 0.01, 0, &certainty));
    CHECK(certainty == IMPINGE_CERTAINTY_KIND_DEFINITE);
    NULLS(impinge_certainty, certainty, 1, 1, 0, &certainty);
    REFUSED(impinge_certainty(query, a, b, NAN, 1, 0, &certainty), "NaN");
    REFUSED(impinge_certainty(query, a, b, 1, -1, 0, &certainty), "-1");
    REFUSED(impinge_certainty(query, a, b, 1, 1, INFINITY, &certainty), "inf");
    REFUSED(impinge_certainty(query, a, b, 1, 1, 0, NULL), "out_certainty");

    impinge_curves_result curves;
    double points[3 * 64];
    size_t ends[8], point_count, end_count;
    OK(impinge_curves(query, a, b, &curves, points, 64, &point_count, ends, 8, &end_count));
    CHECK(curves.lines == 1 && end_count == 1 && ends[0] == point_count && curves.patches == 0);
    CHECK(memcmp(points, points + 3 * (point_count - 1), 3 * sizeof *points) == 0);
    CHECK(curves.length.lo > 5 && curves.length.hi < 12 && curves.area.hi == 0);
    size_t whole = point_count;
    FAILS(impinge_curves(query, a, b, &curves, NULL, 0, &point_count, NULL, 0, &end_count), SMALL, "0 of 1");
    CHECK(end_count == 1 && point_count == whole);
    FAILS(impinge_curves(query, a, b, &curves, points, 1, &point_count, ends, 8, &end_count), SMALL, "1 of");
    NULLS(impinge_curves, curves, &curves, points, 64, &point_count, ends, 8, &end_count);
    REFUSED(impinge_curves(query, a, b, NULL, points, 64, &point_count, ends, 8, &end_count), "out_curves");
    REFUSED(impinge_curves(query, a, b, &curves, points, 64, NULL, ends, 8, &end_count), "the count");
    REFUSED(impinge_curves(query, a, b, &curves, points, 64, &point_count, ends, 8, NULL), "the count");
}

static void points_and_rays(void) {
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 0, 4}, wrong[] = {0, INFINITY, 0};
    impinge_closest closest[3];
    OK(impinge_closest_points(query, a, points, 3, NULL, closest));
    CHECK(closest[1].hi == 0 && closest[2].lo <= 3 && 3 <= closest[2].hi && closest[2].point[2] == 1);
    OK(impinge_closest_points(query, a, NULL, 0, NULL, NULL));
    REFUSED(impinge_closest_points(query, a, wrong, 1, NULL, closest), "points[0]");
    REFUSED(impinge_closest_points(query, a, NULL, 3, NULL, closest), "points is NULL");
    REFUSED(impinge_closest_points(query, a, points, 3, NULL, NULL), "out_closest");
    REFUSED(impinge_closest_points(query, NULL, points, 3, NULL, closest), "NULL");
    REFUSED(impinge_closest_points(NULL, a, points, 3, NULL, closest), "NULL");
    FAILS(impinge_closest_points(query, floor_body, points, 3, NULL, closest), UNSUPPORTED, "half-space");
    impinge_accuracy accuracy = impinge_accuracy_default();
    accuracy.above = 2;
    OK(impinge_closest_points(query, a, points, 3, &accuracy, closest));
    CHECK(closest[0].found && !closest[2].found);

    impinge_location locations[3];
    OK(impinge_locate(query, a, points, 3, locations));
    CHECK(locations[0] == IMPINGE_LOCATION_INSIDE && locations[1] == IMPINGE_LOCATION_ON_SURFACE);
    CHECK(locations[2] == IMPINGE_LOCATION_OUTSIDE);
    OK(impinge_locate(query, flat, points, 3, locations));
    CHECK(locations[0] == IMPINGE_LOCATION_UNDEFINED);
    REFUSED(impinge_locate(query, a, wrong, 1, locations), "points[0]");
    REFUSED(impinge_locate(query, a, NULL, 3, locations), "points is NULL");
    REFUSED(impinge_locate(query, a, points, 3, NULL), "out_locations");
    REFUSED(impinge_locate(query, NULL, points, 3, locations), "NULL");
    REFUSED(impinge_locate(NULL, a, points, 3, locations), "NULL");

    impinge_ray rays[2] = {{{0.25, 0.125, 4}, {0, 0, -1}, INFINITY}, {{0, 0, 4}, {0, 0, 1}, 10}};
    impinge_ray none = {{0, 0, 0}, {0, 0, 0}, 1};
    impinge_ray_hit hits[4];
    bool meet[2];
    size_t count;
    OK(impinge_ray_first(query, a, rays, 2, hits));
    CHECK(hits[0].found && hits[0].enter.lo <= 3 && 3 <= hits[0].enter.hi && hits[0].crossing == -1);
    CHECK(!hits[1].found);
    OK(impinge_ray_meets(query, a, rays, 2, meet));
    CHECK(meet[0] && !meet[1]);
    OK(impinge_ray_all(query, a, &rays[0], hits, 4, &count));
    CHECK(count == 2 && hits[1].crossing == 1 && hits[1].enter.hi >= 5);
    FAILS(impinge_ray_all(query, a, &rays[0], hits, 1, &count), SMALL, "1 of 2");
    REFUSED(impinge_ray_first(query, a, &none, 1, hits), "rays[0]");
    REFUSED(impinge_ray_meets(query, a, &none, 1, meet), "rays[0]");
    REFUSED(impinge_ray_all(query, a, &none, hits, 4, &count), "ray");
    none.direction[0] = NAN;
    REFUSED(impinge_ray_first(query, a, &none, 1, hits), "finite");
    none.direction[0] = 1;
    none.t_max = NAN;
    REFUSED(impinge_ray_first(query, a, &none, 1, hits), "rays[0]");
    REFUSED(impinge_ray_all(query, a, NULL, hits, 4, &count), "ray is NULL");
    REFUSED(impinge_ray_all(query, a, &rays[0], hits, 4, NULL), "the count");
    REFUSED(impinge_ray_all(query, NULL, &rays[0], hits, 4, &count), "NULL");
    REFUSED(impinge_ray_all(NULL, a, &rays[0], hits, 4, &count), "NULL");
    REFUSED(impinge_ray_first(query, a, NULL, 1, hits), "rays is NULL");
    REFUSED(impinge_ray_first(query, a, rays, 1, NULL), "out_hits");
    REFUSED(impinge_ray_first(query, NULL, rays, 1, hits), "NULL");
    REFUSED(impinge_ray_first(NULL, a, rays, 1, hits), "NULL");
    REFUSED(impinge_ray_meets(query, a, NULL, 1, meet), "rays is NULL");
    REFUSED(impinge_ray_meets(query, a, rays, 1, NULL), "out_meet");
    REFUSED(impinge_ray_meets(query, NULL, rays, 1, meet), "NULL");
    REFUSED(impinge_ray_meets(NULL, a, rays, 1, meet), "NULL");
    FAILS(impinge_ray_first(query, rounded, rays, 1, hits), UNSUPPORTED, "radius");

    impinge_plane plane = {{0, 0, 1}, -0.5}, flat_plane = {{0, 0, 0}, 1};
    uint32_t triangles[12];
    OK(impinge_triangles_in(query, a, &plane, 1, true, triangles, 12, &count));
    CHECK(count == 2);
    FAILS(impinge_triangles_in(query, a, &plane, 1, false, triangles, 2, &count), SMALL, "2 of 10");
    OK(impinge_triangles_in(query, a, NULL, 0, false, triangles, 12, &count));
    CHECK(count == 12);
    REFUSED(impinge_triangles_in(query, a, &flat_plane, 1, true, triangles, 12, &count), "normal");
    REFUSED(impinge_triangles_in(query, a, NULL, 1, true, triangles, 12, &count), "planes is NULL");
    REFUSED(impinge_triangles_in(query, a, &plane, 1, true, NULL, 12, &count), "the buffer");
    REFUSED(impinge_triangles_in(query, a, &plane, 1, true, triangles, 12, NULL), "the count");
    REFUSED(impinge_triangles_in(query, NULL, &plane, 1, true, triangles, 12, &count), "NULL");
    REFUSED(impinge_triangles_in(NULL, a, &plane, 1, true, triangles, 12, &count), "NULL");
}

static void motion(void) {
    impinge_sweep_options options = impinge_sweep_options_default();
    impinge_sweep_result sweep, sweeps[2];
    impinge_shift_contact shift;
    impinge_pose path[2];
    const double left[3] = {-8, 0, 0}, up[3] = {0, 0, 8}, huge[3] = {1e200, 0, 0};
    path[0] = impinge_pose_at(6, 0, 0);
    path[1] = impinge_pose_at(-2, 0, 0);
    OK(impinge_sweep(query, a, NULL, 0, b, path, 2, NULL, &sweep));
    CHECK(sweep.kind == IMPINGE_SWEEP_KIND_CONTACT && sweep.free_until <= 0.5 && 0.5 <= sweep.meets_at);
    CHECK(sweep.meets_at - sweep.free_until < 1e-8);
    OK(impinge_sweep(query, a, path, 2, b, path, 2, NULL, &sweep));
    CHECK(sweep.kind == IMPINGE_SWEEP_KIND_CONTACT && sweep.meets_at == 0);
    path[1] = impinge_pose_at(6, 5, 0);
    OK(impinge_sweep(query, a, NULL, 0, b, path, 2, &options, &sweep));
    CHECK(sweep.kind == IMPINGE_SWEEP_KIND_CLEAR && sweep.free_until == 1 && isnan(sweep.meets_at));
    options.margin = 4;
    OK(impinge_sweep(query, a, NULL, 0, b, path, 2, &options, &sweep));
    CHECK(sweep.kind == IMPINGE_SWEEP_KIND_CONTACT);
    OK(impinge_sweep(query, floor_body, NULL, 0, b, path, 2, NULL, &sweep));
    CHECK(sweep.kind == IMPINGE_SWEEP_KIND_CLEAR);
    FAILS(impinge_sweep(query, floor_body, path, 2, b, NULL, 0, NULL, &sweep), UNSUPPORTED, "half-space");
    FAILS(impinge_sweep(query, a, NULL, 0, floor_body, NULL, 0, NULL, &sweep), UNSUPPORTED, "half-space");
    REFUSED(impinge_sweep(query, a, NULL, 0, b, path, 1, NULL, &sweep), "pose");
    REFUSED(impinge_sweep(query, a, NULL, 2, b, path, 2, NULL, &sweep), "path_a is NULL");
    REFUSED(impinge_sweep(query, a, &bad_pose, 1, b, path, 2, NULL, &sweep), "path_a[0]");
    REFUSED(impinge_sweep(query, a, NULL, 0, b, path, 2, NULL, NULL), "out_sweep");
    OK(impinge_first_shift_contact(query, a, far_away, left, &shift));
    CHECK(shift.found && shift.free_until == 0.375 && shift.meets_at == 0.375);
    OK(impinge_first_shift_contact(query, a, far_away, up, &shift));
    CHECK(!shift.found && shift.meets_at == 0);
    REFUSED(impinge_first_shift_contact(query, a, far_away, huge, &shift), "2^300");
    REFUSED(impinge_first_shift_contact(query, a, far_away, NULL, &shift), "by");
    REFUSED(impinge_first_shift_contact(query, a, far_away, up, NULL), "out_contact");
    FAILS(impinge_first_shift_contact(query, floor_body, b, up, &shift), UNSUPPORTED, "half-space");
    REFUSED(impinge_sweep(query, NULL, NULL, 0, b, path, 2, NULL, &sweep), "NULL");
    REFUSED(impinge_sweep(query, a, NULL, 0, NULL, path, 2, NULL, &sweep), "NULL");
    REFUSED(impinge_sweep(NULL, a, NULL, 0, b, path, 2, NULL, &sweep), "NULL");
    options.resolution = 0;
    REFUSED(impinge_sweep(query, a, NULL, 0, b, path, 2, &options, &sweep), "resolution");
    options = impinge_sweep_options_default();
    options.tolerance = NAN;
    REFUSED(impinge_sweep(query, a, NULL, 0, b, path, 2, &options, &sweep), "tolerance");
    options = impinge_sweep_options_default();
    options.after = 1;
    REFUSED(impinge_sweep(query, a, NULL, 0, b, path, 2, &options, &sweep), "1");
    options = impinge_sweep_options_default();
    options.most_intervals = 0;
    path[1] = impinge_pose_at(-2, 0, 0);
    OK(impinge_sweep(query, a, NULL, 0, b, path, 2, &options, &sweep));
    CHECK(sweep.kind == IMPINGE_SWEEP_KIND_BUDGET);

    impinge_pose starts[2], ends[2];
    starts[0] = starts[1] = impinge_pose_at(6, 0, 0);
    ends[0] = impinge_pose_at(-2, 0, 0);
    ends[1] = impinge_pose_at(6, 1, 0);
    OK(impinge_sweep_at(query, a, cube, starts, ends, 2, NULL, sweeps));
    CHECK(sweeps[0].kind == IMPINGE_SWEEP_KIND_CONTACT && sweeps[1].kind == IMPINGE_SWEEP_KIND_CLEAR);
    REFUSED(impinge_sweep_at(query, a, cube, starts, &bad_pose, 1, NULL, sweeps), "ends[0]");
    REFUSED(impinge_sweep_at(query, a, cube, NULL, ends, 2, NULL, sweeps), "starts is NULL");
    REFUSED(impinge_sweep_at(query, a, cube, starts, NULL, 2, NULL, sweeps), "ends is NULL");
    REFUSED(impinge_sweep_at(query, a, cube, starts, ends, 2, NULL, NULL), "out_sweeps");
    REFUSED(impinge_sweep_at(query, a, NULL, starts, ends, 2, NULL, sweeps), "NULL");
    REFUSED(impinge_sweep_at(query, NULL, cube, starts, ends, 2, NULL, sweeps), "NULL");
    REFUSED(impinge_sweep_at(NULL, a, cube, starts, ends, 2, NULL, sweeps), "NULL");

    impinge_least_gap_result gap;
    OK(impinge_least_gap(query, a, NULL, 0, b, starts, 2, NULL, &gap));
    CHECK(gap.found && gap.lo <= 4 && 4 <= gap.hi && gap.hi - gap.lo < 1e-5);
    REFUSED(impinge_least_gap(query, a, NULL, 0, b, starts, 1, NULL, &gap), "pose");
    REFUSED(impinge_least_gap(query, a, NULL, 0, b, starts, 2, NULL, NULL), "out_gap");
    REFUSED(impinge_least_gap(query, a, NULL, 0, NULL, starts, 2, NULL, &gap), "NULL");
    REFUSED(impinge_least_gap(query, NULL, NULL, 0, b, starts, 2, NULL, &gap), "NULL");
    REFUSED(impinge_least_gap(NULL, a, NULL, 0, b, starts, 2, NULL, &gap), "NULL");
    FAILS(impinge_least_gap(query, floor_body, NULL, 0, b, starts, 2, NULL, &gap), UNSUPPORTED, "half-space");
}

static void all(void) {
    pairs();
    distances();
    solids();
    points_and_rays();
    motion();
}

int main(void) {
    make();
    settings();
    all();
    // Results do not depend on threads.
    OK(impinge_query_set_threads(query, 3));
    all();
    impinge_query_free(query);
    impinge_model_free(cube);
    impinge_model_free(empty);
    impinge_model_free(sheet);
    impinge_body *bodies[] = {a, b, far_away, rounded, floor_body, flat};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        impinge_body_free(bodies[i]);
    }
    return 0;
}
