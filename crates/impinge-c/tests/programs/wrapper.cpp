// The wrapper in C++: objects, results, errors.
#include <impinge.hpp>

#include "test.h"

#include <cmath>
#include <thread>

#ifdef __cpp_lib_span
static_assert(std::is_same_v<impinge::Span<int>, std::span<int>>);
#endif
static_assert(!std::is_copy_constructible_v<impinge::Mesh> &&
              std::is_nothrow_move_constructible_v<impinge::Mesh>);

using namespace impinge;

static void many(Query &query, const Model &cube, const Body &a) {
    const std::vector<Pose> poses = {Pose::at(1, 0.5, 0.25), Pose::at(6, 0, 0)};
    const Body b = Body::place(cube, poses[0]).value(), far_away = Body::place(cube, poses[1]).value();
    const std::vector<BodyPair> pairs = {{a, b}, {a, far_away}};
    CHECK((query.intersects_each(pairs).value() == std::vector<std::uint8_t>{1, 0}));
    CHECK(query.first_contact_each(pairs)->at(0).found && !query.first_contact_each(pairs)->at(1).found);
    const auto lists = query.pairs_each(pairs).value(), same = query.pairs_at(a, cube, poses).value();
    CHECK(lists.size() == 2 && lists[0].size() == query.pairs(a, b)->size() && lists[1].empty());
    CHECK(lists[0].size() == same[0].size() && query.pairs_each(std::vector<BodyPair>{})->empty());
    CHECK(query.relation_each(pairs)->at(0).kind == IMPINGE_RELATION_KIND_OVERLAP);
    CHECK(query.distance_each(pairs)->at(1).hi >= 4 && query.overlaps(a, b).value());
    CHECK(!query.overlaps(a, far_away).value() && query.first_within(a, far_away, 4)->found);
    CHECK(!query.self_intersects(cube).value() && !query.self_first_contact(cube)->found);
    const std::vector<Pose> path = {poses[1], poses[0]};
    const std::vector<MovingPair> moving = {{a, {}, b, path}, {a, {}, far_away, {}}};
    const auto sweeps = query.sweep_each(moving).value();
    CHECK(sweeps[0].kind == IMPINGE_SWEEP_KIND_CONTACT && sweeps[1].kind == IMPINGE_SWEEP_KIND_CLEAR);
    CHECK(query.sweep_at(a, cube, poses, path)->at(0).kind == IMPINGE_SWEEP_KIND_CONTACT);
    CHECK(query.sweep_at(a, cube, poses, {}).error().text.find("2 starts, 0 ends") != std::string::npos);
    const Ray ray{{0.25, 0.125, 4}, {0, 0, -1}, INFINITY};
    CHECK(query.ray_meets(a, std::vector<Ray>{ray})->at(0) == 1);

    Pose twice = Pose::at(5, 0, 0);
    for (int i = 0; i < 3; i++)
        twice.rotation[i][i] = 2;
    const Body large = Body::place_affine(cube, twice).value();
    CHECK(!Body::place(cube, twice) && query.distance(a, large)->hi >= 2 &&
          query.distance(a, large)->lo <= 2);
    CHECK(!query.within_at(a, cube, std::vector<Pose>{twice}, 2) && query.set_affine(true));
    CHECK(query.within_at(a, cube, std::vector<Pose>{twice}, 2)->at(0) == 1 && query.set_affine(false));
}

static void proxies(Query &query, const Model &cube, const Body &a) {
    Proxy proxy;
    CHECK(query.coverage(a, proxy)->kind == IMPINGE_COVERAGE_KIND_UNCOVERED);
    proxy.add_ball({0, 0, 0}, 1.75);
    CHECK(query.coverage(a, proxy)->kind == IMPINGE_COVERAGE_KIND_COVERED);
    CHECK(query.excess(a, proxy)->distance.hi >= 0.75 && query.excess(a, proxy)->distance.lo <= 0.75);
    CHECK(query.point_depths(proxy, std::vector<Point>{{3, 0, 0}})->at(0).lo <= 1.25);
    proxy.add_cylinder({0, 0, 0}, {0, 0, 3}, 0.5);
    proxy.add(a);
    CHECK(query.proxy_volume(proxy)->lo > 22.4 && query.proxy_volume(proxy)->hi < 24);
    proxy.add_ball({0, 0, NAN}, 1);
    CHECK(query.proxy_volume(proxy).error().text.find("balls[1]") != std::string::npos);
    CHECK(Body::place(cube));
}

static void queries() {
    const std::vector<Point> points = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
    const std::vector<Triangle> triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const Mesh mesh = Mesh::make(points, triangles).value();
    CHECK(mesh.points().value() == points && mesh.triangles().value() == triangles);
    const auto wrong = Mesh::make(points, std::vector<Triangle>{{0, 1, 9}});
    CHECK(!wrong && wrong.error().status == IMPINGE_STATUS_INVALID_ARGUMENT);
    CHECK(wrong.error().text.find("vertex 9") != std::string::npos);
    CHECK(Mesh::read("no such file.stl").error().status == IMPINGE_STATUS_IO);
    const std::string off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    CHECK(Mesh::parse(
        Span<const std::uint8_t>(reinterpret_cast<const std::uint8_t *>(off.data()), off.size()), "off"));

    Model model = Model::build(mesh).value();
    CHECK(model.facts()->shells == 1);
    const Model moved = std::move(model);
    CHECK(model.get() == nullptr && Body::place(model).error().status == IMPINGE_STATUS_INVALID_ARGUMENT);
    const Model cube = Model::build(Mesh::box(2, 2, 2).value()).value();
    const Body a = Body::place(cube).value();
    Body b = Body::place(cube, Pose::at(1, 0.5, 0.25)).value();
    Query query;
    CHECK(query.intersects(a, b).value() && query.first_contact(a, b)->found);
    const auto pairs = query.pairs(a, b).value();
    CHECK(pairs.size() > 3 && query.pairs_within(a, b, 9)->size() == 144 &&
          query.pairs_at_most(a, b, 3)->first.size() == 3);
    CHECK(query.pairs_at_most(a, b, 3)->second == pairs.size());
    CHECK(query.contact_points(a, b, pairs)->size() == pairs.size());
    CHECK(query.relation(a, b)->kind == IMPINGE_RELATION_KIND_OVERLAP);
    CHECK(query.penetration(a, b, IMPINGE_OVERLAP_VOLUME)->overlap_volume.hi > 2.6);
    const auto curves = query.curves(a, b).value();
    CHECK(curves.size() == 1 && curves[0].front() == curves[0].back());
    CHECK(query.locate(a, std::vector<Point>{{0, 0, 0}, {9, 9, 9}})->at(1) == IMPINGE_LOCATION_OUTSIDE);
    CHECK(query.closest_points(a, std::vector<Point>{{0, 0, 4}})->at(0).point[2] == 1);
    CHECK(query.closest_points(a, std::vector<Point>{})->empty());
    const Ray ray{{0.25, 0.125, 4}, {0, 0, -1}, INFINITY};
    CHECK(query.ray_all(a, ray)->size() == 2 && query.ray_first(a, std::vector<Ray>{ray})->at(0).found);
    CHECK(query.triangles_in(a, std::vector<Plane>{{{0, 0, 1}, -0.5}}, true)->size() == 2);
    CHECK(query.self_pairs(cube)->empty() && query.within(a, b, 0).value() &&
          !query.pairs_within(a, b, 0)->empty());
    CHECK(query.farthest_distance(a, b)->kind == IMPINGE_FARTHEST_KIND_FOUND);
    CHECK(query.certainty(a, b, 0.01, 0.01).value() == IMPINGE_CERTAINTY_KIND_DEFINITE);

    const std::vector<Pose> poses = {Pose::at(1, 0, 0), Pose::at(6, 0, 0)};
    CHECK(query.set_threads(2));
    CHECK((query.intersects_at(a, cube, poses).value() == std::vector<std::uint8_t>{1, 0}));
    CHECK((query.within_at(a, cube, poses, 4).value() == std::vector<std::uint8_t>{1, 1}));
    CHECK(query.first_contact_at(a, cube, poses)->size() == 2);
    CHECK(query.distance_at(a, cube, poses)->at(1).hi >= 4 && query.relation_at(a, cube, poses)->size() == 2);
    CHECK(query.sweep(a, {}, b, std::vector<Pose>{poses[1], poses[0]})->kind == IMPINGE_SWEEP_KIND_CONTACT);
    CHECK(query.least_gap(a, {}, b, std::vector<Pose>{poses[1], poses[1]})->hi >= 4);
    CHECK(b.set_pose(poses[1]) && b.set_radius(1));
    CHECK(query.distance(a, b)->lo <= 3 && query.distance(a, b)->hi >= 3);
    CHECK(query.relation(a, b).error().status == IMPINGE_STATUS_UNSUPPORTED);
    CHECK(!query.intersects(a, Body::half_space({0, 0, 1}, -2).value()).value());
    CHECK(query.set_fill_rule(IMPINGE_FILL_RULE_POSITIVE));
    many(query, cube, a);
    proxies(query, cube, a);

    const Stop stop;
    CHECK(query.set_stop(stop));
    std::thread([&] { stop.set(); }).join();
    CHECK(query.intersects(a, b).error().status == IMPINGE_STATUS_STOPPED);
}

static void scenes() {
    const Model cube = Model::build(Mesh::box(2, 2, 2).value()).value();
    for (const std::uint16_t threads : {std::uint16_t(1), std::uint16_t(2)}) {
        Scene scene(threads);
        const std::uint32_t a = scene.add(cube).value(), b = scene.add(cube, Pose::at(1, 0, 0)).value();
        CHECK(scene.set_margin(1) && scene.update(IMPINGE_DETAIL_TRIANGLES));
        CHECK(scene.contacts()->at(0).began && !scene.contact_pairs(0)->empty());
        CHECK(scene.set_pose(b, Pose::at(2.5, 0, 0)) && scene.update());
        CHECK(scene.contacts()->empty() && scene.ended()->size() == 1 && scene.near_pairs()->at(0).a == a);
        CHECK(scene.set_pair_margin(a, b, 0.25) && scene.set_body_margin(a, -1) && scene.update());
        CHECK(scene.near_pairs()->empty() && scene.near_ended()->at(0).b == b &&
              scene.set_pair_margin(a, b, -1));
        CHECK(scene.nearest_bodies(std::vector<Point>{{9, 0, 0}})->at(0).body == b);
        Query query;
        const auto sweep =
            scene.sweep(query, a, std::vector<Pose>{Pose::at(9, 0, 0), Pose::at(2, 0, 0)}).value();
        CHECK(sweep.found && sweep.other == b && sweep.sweep.kind == IMPINGE_SWEEP_KIND_CONTACT);
        const std::uint32_t floor = scene.add_half_space({0, 0, 1}, -3).value();
        CHECK(scene.set_half_space(floor, {0, 0, 1}, -2) && scene.set_model(b, cube) &&
              !scene.set_model(floor, cube));
        CHECK(!scene.deform(b, std::vector<Point>{{0, 0, 0}}) && scene.set_affine(true));
        const Stop stop;
        stop.set();
        CHECK(scene.set_stop(stop) && scene.update().error().status == IMPINGE_STATUS_STOPPED);
        stop.set(false);
        CHECK(scene.set_filter(a, 1, 1) && scene.set_allowed(a, b, true) && scene.set_radius(b, 1));
        CHECK(scene.remove(b) && !scene.remove(b));
    }
}

static void reports(const std::string &folder) {
    Assembly assembly;
    const Mesh cube = Mesh::box(2, 2, 2).value();
    const std::string name(100, 'x');
    CHECK(assembly.add(name, cube) && assembly.add("right", cube, Pose::at(1, 0, 0)));
    Pose twice = Pose::at(9, 0, 0);
    twice.rotation[0][0] = 2;
    CHECK(!assembly.add("large", cube, twice));
    CHECK(assembly.part_count().value() == 2 && assembly.part_name(0).value() == name);
    CHECK(assembly.part_mesh(1)->triangles()->size() == 12 && !assembly.part_mesh(2));
    CHECK(!assembly.read("no such file.stl"));
    CHECK(assembly.add_affine("large", cube, twice));
    const Report report = assembly.check().value();
    CHECK(report.counts()->findings == 1 && report.findings()->at(0).kind == IMPINGE_FINDING_KIND_OVERLAP);
    CHECK(report.write("json")->at(0) == '{' && report.save(folder + "/wrapper.csv"));
    CHECK(!report.warning(0) && report.write("docx").error().text.find("docx") != std::string::npos);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    queries();
    scenes();
    reports(arguments[1]);
}
