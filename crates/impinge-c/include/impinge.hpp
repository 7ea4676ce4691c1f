// impinge in C++17: handles that free themselves, results in place of status codes. No exception is thrown,
// unless IMPINGE_EXCEPTIONS is defined. impinge.h explains objects, units and threads.
//
//     auto model = impinge::Model::build(impinge::Mesh::box(2, 2, 2).value()).value();
//     auto a = impinge::Body::place(model).value();
//     auto b = impinge::Body::place(model, impinge::Pose::at(1, 0, 0)).value();
//     impinge::Query query;
//     if (auto distance = query.distance(a, b)) std::printf("%g\n", distance->hi);
//
// Each function has the name of its counterpart in C, whose comment describes it.
#ifndef IMPINGE_HPP
#define IMPINGE_HPP

#include "impinge.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#ifdef __cpp_lib_span
#include <span>
#endif
#ifdef IMPINGE_EXCEPTIONS
#include <stdexcept>
#endif

namespace impinge {

using Point = std::array<double, 3>;
using Triangle = std::array<std::uint32_t, 3>;
using Pair = impinge_pair;
using Interval = impinge_interval;
using Ray = impinge_ray;
using Plane = impinge_plane;

#ifdef __cpp_lib_span
template <class T> using Span = std::span<T>;
#else
/// A list that others own: std::span of C++20.
template <class T> class Span {
public:
    constexpr Span() = default;
    constexpr Span(T *items, std::size_t count) : items_(items), count_(count) {}
    template <class List, class = decltype(std::declval<List &>().data())> constexpr Span(List &&list)
        : items_(list.data()), count_(list.size()) {}
    constexpr T *data() const { return items_; }
    constexpr std::size_t size() const { return count_; }
    constexpr bool empty() const { return count_ == 0; }
    constexpr T *begin() const { return items_; }
    constexpr T *end() const { return items_ + count_; }
    constexpr T &operator[](std::size_t i) const { return items_[i]; }

private:
    T *items_ = nullptr;
    std::size_t count_ = 0;
};
#endif

/// Why a call failed.
struct Error {
    impinge_status status = IMPINGE_STATUS_OK;
    std::string text;
};

#ifdef IMPINGE_EXCEPTIONS
/// What Result::value() throws, if IMPINGE_EXCEPTIONS is defined.
class Exception : public std::runtime_error {
public:
    explicit Exception(const Error &error) : std::runtime_error(error.text), status(error.status) {}
    impinge_status status;
};
#endif

/// A value, or the error of the call that should have made it.
template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)) {}
    Result(Error error) : error_(std::move(error)) {}
    /// True if there is a value.
    explicit operator bool() const { return value_.has_value(); }
    bool has_value() const { return value_.has_value(); }
    const Error &error() const { return error_; }
    /// The value. Without one, it throws Exception if IMPINGE_EXCEPTIONS is defined; else it prints the error
    /// and ends the program.
    T &value() & { return need(), *value_; }
    const T &value() const & { return need(), *value_; }
    T value() && { return need(), std::move(*value_); }
    /// The value, which must exist.
    T &operator*() { return *value_; }
    const T &operator*() const { return *value_; }
    T *operator->() { return &*value_; }
    const T *operator->() const { return &*value_; }

private:
    void need() const {
        if (value_)
            return;
#ifdef IMPINGE_EXCEPTIONS
        throw Exception(error_);
#else
        std::fprintf(stderr, "impinge: %s\n", error_.text.c_str());
        std::abort();
#endif
    }
    std::optional<T> value_;
    Error error_;
};

/// Success, or an error.
using Done = Result<std::monostate>;

/// A rigid pose; see impinge_pose.
struct Pose : impinge_pose {
    /// The identity.
    Pose() : impinge_pose(impinge_pose_at(0, 0, 0)) {}
    Pose(const impinge_pose &pose) : impinge_pose(pose) {}
    static Pose at(double x, double y, double z) { return impinge_pose_at(x, y, z); }
};
static_assert(sizeof(Pose) == sizeof(impinge_pose), "poses are passed as lists");

namespace detail {

inline Error last_error(impinge_status status) { return {status, impinge_last_error()}; }

template <class T> Result<T> result(impinge_status status, T value) {
    if (status == IMPINGE_STATUS_OK)
        return Result<T>(std::move(value));
    return last_error(status);
}
inline Done done(impinge_status status) { return result(status, std::monostate()); }

/// The items of a list of unknown length: `call` fills a buffer and writes the count.
template <class T, class Call> Result<std::vector<T>> list(Call call) {
    std::vector<T> items(16);
    for (;;) {
        std::size_t count = 0;
        const impinge_status status = call(items.data(), items.size(), &count);
        if (status != IMPINGE_STATUS_OK && status != IMPINGE_STATUS_BUFFER_TOO_SMALL)
            return last_error(status);
        items.resize(count);
        if (status == IMPINGE_STATUS_OK)
            return items;
    }
}

/// A text, of whose buffer the NUL takes one byte.
template <class Call> Result<std::string> text(Call call) {
    std::string text(63, '\0');
    for (;;) {
        std::size_t count = 0;
        const impinge_status status = call(text.data(), text.size() + 1, &count);
        if (status != IMPINGE_STATUS_OK && status != IMPINGE_STATUS_BUFFER_TOO_SMALL)
            return last_error(status);
        text.resize(count);
        if (status == IMPINGE_STATUS_OK)
            return text;
    }
}

inline const double *numbers(Span<const Point> points) {
    return points.empty() ? nullptr : points.data()->data();
}

/// The owner of a handle. It is null where none could be made, and after a move: calls then fail with
/// IMPINGE_STATUS_INVALID_ARGUMENT.
template <class T, void (*Free)(T *)> class Handle {
public:
    Handle() = default;
    explicit Handle(T *handle) : handle_(handle) {}
    T *get() const { return handle_.get(); }

private:
    struct Delete {
        void operator()(T *handle) const { Free(handle); }
    };
    std::unique_ptr<T, Delete> handle_;
};

/// A new handle, which `call` makes.
template <class Owner, class T, class Call> Result<Owner> create(Call call) {
    T *handle = nullptr;
    const impinge_status status = call(&handle);
    return result(status, Owner(handle));
}

} // namespace detail

/// A triangle mesh.
class Mesh : public detail::Handle<impinge_mesh, impinge_mesh_free> {
public:
    using Handle::Handle;
    static Result<Mesh> make(Span<const Point> points, Span<const Triangle> triangles) {
        return detail::create<Mesh, impinge_mesh>([&](impinge_mesh **out) {
            const std::uint32_t *corners = triangles.empty() ? nullptr : triangles.data()->data();
            return impinge_mesh_new(detail::numbers(points), points.size(), corners, triangles.size(), out);
        });
    }
    static Result<Mesh> box(double x, double y, double z) {
        return detail::create<Mesh, impinge_mesh>(
            [&](impinge_mesh **out) { return impinge_mesh_new_box(x, y, z, out); });
    }
    static Result<Mesh> read(std::string_view path) {
        return detail::create<Mesh, impinge_mesh>(
            [&](impinge_mesh **out) { return impinge_mesh_read(path.data(), path.size(), out); });
    }
    static Result<Mesh> parse(Span<const std::uint8_t> bytes, std::string_view extension) {
        return detail::create<Mesh, impinge_mesh>([&](impinge_mesh **out) {
            return impinge_mesh_parse(bytes.data(), bytes.size(), extension.data(), extension.size(), out);
        });
    }
    Result<std::vector<Point>> points() const {
        return detail::list<Point>([&](Point *items, std::size_t capacity, std::size_t *count) {
            return impinge_mesh_points(get(), items->data(), capacity, count);
        });
    }
    Result<std::vector<Triangle>> triangles() const {
        return detail::list<Triangle>([&](Triangle *items, std::size_t capacity, std::size_t *count) {
            return impinge_mesh_triangles(get(), items->data(), capacity, count);
        });
    }
};

/// A mesh with its tree.
class Model : public detail::Handle<impinge_model, impinge_model_free> {
public:
    using Handle::Handle;
    static Result<Model> build(const Mesh &mesh) {
        return detail::create<Model, impinge_model>(
            [&](impinge_model **out) { return impinge_model_new(mesh.get(), out); });
    }
    static Result<Model> open(std::string_view path) {
        return detail::create<Model, impinge_model>(
            [&](impinge_model **out) { return impinge_model_open(path.data(), path.size(), out); });
    }
    Done save(std::string_view path) const {
        return detail::done(impinge_model_save(get(), path.data(), path.size()));
    }
    Result<impinge_model_facts> facts() const {
        impinge_model_facts facts{};
        const impinge_status status = impinge_model_get_facts(get(), &facts);
        return detail::result(status, facts);
    }
};

/// A model at a pose, or a half-space.
class Body : public detail::Handle<impinge_body, impinge_body_free> {
public:
    using Handle::Handle;
    static Result<Body> place(const Model &model, const Pose &pose = {}) {
        return detail::create<Body, impinge_body>(
            [&](impinge_body **out) { return impinge_body_new(model.get(), &pose, out); });
    }
    static Result<Body> half_space(const Point &normal, double offset) {
        return detail::create<Body, impinge_body>(
            [&](impinge_body **out) { return impinge_body_new_half_space(normal.data(), offset, out); });
    }
    Done set_pose(const Pose &pose) { return detail::done(impinge_body_set_pose(get(), &pose)); }
    Done set_radius(double radius) { return detail::done(impinge_body_set_radius(get(), radius)); }
};

/// A flag that ends work early.
class Stop : public detail::Handle<impinge_stop, impinge_stop_free> {
public:
    Stop() : Handle(make()) {}
    void set(bool is_set = true) const { impinge_stop_set(get(), is_set); }

private:
    static impinge_stop *make() {
        impinge_stop *stop = nullptr;
        impinge_stop_new(&stop);
        return stop;
    }
};

/// A line along which surfaces meet.
using Polyline = std::vector<Point>;

/// Queries, with their memory: one for each thread.
class Query : public detail::Handle<impinge_query, impinge_query_free> {
public:
    Query() : Handle(make()) {}
    Done set_threads(std::uint16_t threads) {
        return detail::done(impinge_query_set_threads(get(), threads));
    }
    Done set_fill_rule(impinge_fill_rule rule) {
        return detail::done(impinge_query_set_fill_rule(get(), rule));
    }
    Done set_stop(const Stop &stop) { return detail::done(impinge_query_set_stop(get(), stop.get())); }

    Result<bool> intersects(const Body &a, const Body &b) {
        return one<bool>([&](bool *out) { return impinge_intersects(get(), a.get(), b.get(), out); });
    }
    /// One result for each pose; not 0 means that they meet.
    Result<std::vector<std::uint8_t>> intersects_at(const Body &a, const Model &b, Span<const Pose> poses) {
        return truths(poses.size(), [&](bool *out) {
            return impinge_intersects_at(get(), a.get(), b.get(), poses.data(), poses.size(), out);
        });
    }
    Result<impinge_contact> first_contact(const Body &a, const Body &b) {
        return one<impinge_contact>(
            [&](impinge_contact *out) { return impinge_first_contact(get(), a.get(), b.get(), out); });
    }
    Result<std::vector<impinge_contact>> first_contact_at(const Body &a, const Model &b,
                                                          Span<const Pose> poses) {
        return each<impinge_contact>(poses.size(), [&](impinge_contact *out) {
            return impinge_first_contact_at(get(), a.get(), b.get(), poses.data(), poses.size(), out);
        });
    }
    Result<std::vector<Pair>> pairs(const Body &a, const Body &b) {
        return detail::list<Pair>([&](Pair *items, std::size_t capacity, std::size_t *count) {
            return impinge_pairs(get(), a.get(), b.get(), items, capacity, count);
        });
    }
    /// At most `most` pairs, and the number of all of them.
    Result<std::pair<std::vector<Pair>, std::size_t>> pairs_at_most(const Body &a, const Body &b,
                                                                    std::size_t most) {
        std::vector<Pair> pairs(most);
        std::size_t count = 0;
        const impinge_status status = impinge_pairs(get(), a.get(), b.get(), pairs.data(), most, &count);
        if (status != IMPINGE_STATUS_OK && status != IMPINGE_STATUS_BUFFER_TOO_SMALL)
            return detail::last_error(status);
        if (count < most)
            pairs.resize(count);
        return std::make_pair(std::move(pairs), count);
    }
    Result<std::vector<Pair>> self_pairs(const Model &model) {
        return detail::list<Pair>([&](Pair *items, std::size_t capacity, std::size_t *count) {
            return impinge_self_pairs(get(), model.get(), items, capacity, count);
        });
    }
    Result<bool> within(const Body &a, const Body &b, double margin) {
        return one<bool>([&](bool *out) { return impinge_within(get(), a.get(), b.get(), margin, out); });
    }
    /// One result for each pose; not 0 means that they are as near as the margin.
    Result<std::vector<std::uint8_t>> within_at(const Body &a, const Model &b, Span<const Pose> poses,
                                                double margin) {
        return truths(poses.size(), [&](bool *out) {
            return impinge_within_at(get(), a.get(), b.get(), poses.data(), poses.size(), margin, out);
        });
    }
    Result<std::vector<Pair>> pairs_within(const Body &a, const Body &b, double margin) {
        return detail::list<Pair>([&](Pair *items, std::size_t capacity, std::size_t *count) {
            return impinge_pairs_within(get(), a.get(), b.get(), margin, items, capacity, count);
        });
    }
    Result<impinge_distance_result> distance(const Body &a, const Body &b,
                                             const impinge_accuracy &accuracy = impinge_accuracy_default()) {
        return one<impinge_distance_result>([&](impinge_distance_result *out) {
            return impinge_distance(get(), a.get(), b.get(), &accuracy, out);
        });
    }
    Result<std::vector<impinge_distance_result>>
    distance_at(const Body &a, const Model &b, Span<const Pose> poses,
                const impinge_accuracy &accuracy = impinge_accuracy_default()) {
        return each<impinge_distance_result>(poses.size(), [&](impinge_distance_result *out) {
            return impinge_distance_at(get(), a.get(), b.get(), poses.data(), poses.size(), &accuracy, out);
        });
    }
    Result<impinge_relation_result> relation(const Body &a, const Body &b) {
        return one<impinge_relation_result>(
            [&](impinge_relation_result *out) { return impinge_relation(get(), a.get(), b.get(), out); });
    }
    Result<std::vector<impinge_relation_result>> relation_at(const Body &a, const Model &b,
                                                             Span<const Pose> poses) {
        return each<impinge_relation_result>(poses.size(), [&](impinge_relation_result *out) {
            return impinge_relation_at(get(), a.get(), b.get(), poses.data(), poses.size(), out);
        });
    }
    Result<impinge_penetration_result> penetration(const Body &a, const Body &b, std::uint32_t parts) {
        return one<impinge_penetration_result>([&](impinge_penetration_result *out) {
            return impinge_penetration(get(), a.get(), b.get(), parts, out);
        });
    }
    Result<impinge_farthest_result> farthest_distance(const Body &a, const Body &b,
                                                      impinge_side side = IMPINGE_SIDE_ANY) {
        return one<impinge_farthest_result>([&](impinge_farthest_result *out) {
            return impinge_farthest_distance(get(), a.get(), b.get(), side, out);
        });
    }
    Result<impinge_certainty_kind> certainty(const Body &a, const Body &b, double chord_a, double chord_b,
                                             double clearance = 0) {
        return one<impinge_certainty_kind>([&](impinge_certainty_kind *out) {
            return impinge_certainty(get(), a.get(), b.get(), chord_a, chord_b, clearance, out);
        });
    }
    /// The lines along which surfaces meet; a closed one repeats its first point at its end.
    Result<std::vector<Polyline>> curves(const Body &a, const Body &b) {
        std::vector<Point> points(64);
        std::vector<std::size_t> ends(16);
        for (;;) {
            impinge_curves_result curves{};
            std::size_t point_count = 0, end_count = 0;
            const impinge_status status =
                impinge_curves(get(), a.get(), b.get(), &curves, points.data()->data(), points.size(),
                               &point_count, ends.data(), ends.size(), &end_count);
            if (status != IMPINGE_STATUS_OK && status != IMPINGE_STATUS_BUFFER_TOO_SMALL)
                return detail::last_error(status);
            if (status == IMPINGE_STATUS_OK) {
                std::vector<Polyline> lines;
                std::size_t start = 0;
                for (std::size_t i = 0; i < end_count; i++) {
                    lines.emplace_back(points.data() + start, points.data() + ends[i]);
                    start = ends[i];
                }
                return lines;
            }
            // At least one, as the pointer to its first number is needed.
            points.resize(point_count + 1);
            ends.resize(end_count);
        }
    }
    Result<std::vector<impinge_contact_point>> contact_points(const Body &a, const Body &b,
                                                              Span<const Pair> pairs) const {
        return each<impinge_contact_point>(pairs.size(), [&](impinge_contact_point *out) {
            return impinge_contact_points(a.get(), b.get(), pairs.data(), pairs.size(), out);
        });
    }
    Result<std::vector<impinge_closest>>
    closest_points(const Body &body, Span<const Point> points,
                   const impinge_accuracy &accuracy = impinge_accuracy_default()) {
        return each<impinge_closest>(points.size(), [&](impinge_closest *out) {
            return impinge_closest_points(get(), body.get(), detail::numbers(points), points.size(),
                                          &accuracy, out);
        });
    }
    Result<std::vector<impinge_location>> locate(const Body &body, Span<const Point> points) {
        return each<impinge_location>(points.size(), [&](impinge_location *out) {
            return impinge_locate(get(), body.get(), detail::numbers(points), points.size(), out);
        });
    }
    Result<std::vector<impinge_ray_hit>> ray_first(const Body &body, Span<const Ray> rays) {
        return each<impinge_ray_hit>(rays.size(), [&](impinge_ray_hit *out) {
            return impinge_ray_first(get(), body.get(), rays.data(), rays.size(), out);
        });
    }
    Result<std::vector<impinge_ray_hit>> ray_all(const Body &body, const Ray &ray) {
        return detail::list<impinge_ray_hit>(
            [&](impinge_ray_hit *items, std::size_t capacity, std::size_t *count) {
                return impinge_ray_all(get(), body.get(), &ray, items, capacity, count);
            });
    }
    Result<std::vector<std::uint32_t>> triangles_in(const Body &body, Span<const Plane> planes, bool whole) {
        return detail::list<std::uint32_t>(
            [&](std::uint32_t *items, std::size_t capacity, std::size_t *count) {
                return impinge_triangles_in(get(), body.get(), planes.data(), planes.size(), whole, items,
                                            capacity, count);
            });
    }
    /// An empty path is a body at rest.
    Result<impinge_sweep_result>
    sweep(const Body &a, Span<const Pose> path_a, const Body &b, Span<const Pose> path_b,
          const impinge_sweep_options &options = impinge_sweep_options_default()) {
        return one<impinge_sweep_result>([&](impinge_sweep_result *out) {
            return impinge_sweep(get(), a.get(), path_a.data(), path_a.size(), b.get(), path_b.data(),
                                 path_b.size(), &options, out);
        });
    }
    Result<impinge_least_gap_result>
    least_gap(const Body &a, Span<const Pose> path_a, const Body &b, Span<const Pose> path_b,
              const impinge_sweep_options &options = impinge_sweep_options_default()) {
        return one<impinge_least_gap_result>([&](impinge_least_gap_result *out) {
            return impinge_least_gap(get(), a.get(), path_a.data(), path_a.size(), b.get(), path_b.data(),
                                     path_b.size(), &options, out);
        });
    }

private:
    static impinge_query *make() {
        impinge_query *query = nullptr;
        impinge_query_new(&query);
        return query;
    }
    template <class T, class Call> static Result<T> one(Call call) {
        T value{};
        const impinge_status status = call(&value);
        return detail::result(status, value);
    }
    template <class T, class Call> static Result<std::vector<T>> each(std::size_t count, Call call) {
        std::vector<T> values(count);
        const impinge_status status = call(values.data());
        return detail::result(status, std::move(values));
    }
    /// A vector of bool has no pointer to bool.
    template <class Call> static Result<std::vector<std::uint8_t>> truths(std::size_t count, Call call) {
        const std::unique_ptr<bool[]> values(new bool[count]());
        const impinge_status status = call(values.get());
        return detail::result(status, std::vector<std::uint8_t>(values.get(), values.get() + count));
    }
};

/// Many bodies that move, and their contacts.
class Scene : public detail::Handle<impinge_scene, impinge_scene_free> {
public:
    /// Updates run on this number of threads; 0 is one for each core.
    explicit Scene(std::uint16_t threads = 1) : Handle(make(threads)) {}
    Result<std::uint32_t> add(const Model &model, const Pose &pose = {}) {
        std::uint32_t body = 0;
        const impinge_status status = impinge_scene_add(get(), model.get(), &pose, &body);
        return detail::result(status, body);
    }
    Done remove(std::uint32_t body) { return detail::done(impinge_scene_remove(get(), body)); }
    Done set_pose(std::uint32_t body, const Pose &pose) {
        return detail::done(impinge_scene_set_pose(get(), body, &pose));
    }
    Done set_radius(std::uint32_t body, double radius) {
        return detail::done(impinge_scene_set_radius(get(), body, radius));
    }
    Done set_filter(std::uint32_t body, std::uint32_t groups, std::uint32_t mask) {
        return detail::done(impinge_scene_set_filter(get(), body, groups, mask));
    }
    Done set_allowed(std::uint32_t a, std::uint32_t b, bool allowed) {
        return detail::done(impinge_scene_set_allowed(get(), a, b, allowed));
    }
    Done set_margin(double margin) { return detail::done(impinge_scene_set_margin(get(), margin)); }
    Done update(impinge_detail detail = IMPINGE_DETAIL_BODIES) {
        return impinge::detail::done(impinge_scene_update(get(), detail));
    }
    Result<std::vector<impinge_scene_contact>> contacts() const {
        return detail::list<impinge_scene_contact>(
            [&](impinge_scene_contact *items, std::size_t capacity, std::size_t *count) {
                return impinge_scene_contacts(get(), items, capacity, count);
            });
    }
    Result<std::vector<Pair>> contact_pairs(std::size_t contact) const {
        return detail::list<Pair>([&](Pair *items, std::size_t capacity, std::size_t *count) {
            return impinge_scene_contact_pairs(get(), contact, items, capacity, count);
        });
    }
    /// Pairs of bodies.
    Result<std::vector<Pair>> ended() const {
        return detail::list<Pair>([&](Pair *items, std::size_t capacity, std::size_t *count) {
            return impinge_scene_ended(get(), items, capacity, count);
        });
    }
    Result<std::vector<impinge_scene_near>> near_pairs() const {
        return detail::list<impinge_scene_near>(
            [&](impinge_scene_near *items, std::size_t capacity, std::size_t *count) {
                return impinge_scene_near_pairs(get(), items, capacity, count);
            });
    }

private:
    static impinge_scene *make(std::uint16_t threads) {
        impinge_scene *scene = nullptr;
        threads == 1 ? impinge_scene_new(&scene) : impinge_scene_new_threaded(threads, &scene);
        return scene;
    }
};

/// The result of a check.
class Report : public detail::Handle<impinge_report, impinge_report_free> {
public:
    using Handle::Handle;
    Result<impinge_coverage_counts> counts() const {
        impinge_coverage_counts counts{};
        const impinge_status status = impinge_report_counts(get(), &counts);
        return detail::result(status, counts);
    }
    Result<std::vector<impinge_finding>> findings() const {
        return detail::list<impinge_finding>(
            [&](impinge_finding *items, std::size_t capacity, std::size_t *count) {
                return impinge_report_findings(get(), items, capacity, count);
            });
    }
    Result<std::string> warning(std::size_t index) const {
        return detail::text([&](char *text, std::size_t capacity, std::size_t *count) {
            return impinge_report_warning(get(), index, text, capacity, count);
        });
    }
    /// An empty format is that of the path's extension.
    Done save(std::string_view path, std::string_view format = {}) const {
        return detail::done(
            impinge_report_save(get(), format.data(), format.size(), path.data(), path.size()));
    }
    Result<std::vector<std::uint8_t>> write(std::string_view format) const {
        return detail::list<std::uint8_t>([&](std::uint8_t *bytes, std::size_t capacity, std::size_t *count) {
            return impinge_report_write(get(), format.data(), format.size(), bytes, capacity, count);
        });
    }
};

/// Named parts.
class Assembly : public detail::Handle<impinge_assembly, impinge_assembly_free> {
public:
    Assembly() : Handle(make()) {}
    Done read(std::string_view path) {
        return detail::done(impinge_assembly_read(get(), path.data(), path.size()));
    }
    Done parse(Span<const std::uint8_t> bytes, std::string_view extension) {
        return detail::done(
            impinge_assembly_parse(get(), bytes.data(), bytes.size(), extension.data(), extension.size()));
    }
    Done add(std::string_view name, const Mesh &mesh, const Pose &pose = {}) {
        return detail::done(impinge_assembly_add(get(), name.data(), name.size(), mesh.get(), &pose));
    }
    Result<std::size_t> part_count() const {
        std::size_t count = 0;
        const impinge_status status = impinge_assembly_part_count(get(), &count);
        return detail::result(status, count);
    }
    Result<std::string> part_name(std::size_t index) const {
        return detail::text([&](char *text, std::size_t capacity, std::size_t *count) {
            return impinge_assembly_part_name(get(), index, text, capacity, count);
        });
    }
    Result<Mesh> part_mesh(std::size_t index) const {
        return detail::create<Mesh, impinge_mesh>(
            [&](impinge_mesh **out) { return impinge_assembly_part_mesh(get(), index, out); });
    }
    Result<Report> check(const impinge_check_options &options = impinge_check_options_default()) const {
        return detail::create<Report, impinge_report>(
            [&](impinge_report **out) { return impinge_check(get(), &options, out); });
    }

private:
    static impinge_assembly *make() {
        impinge_assembly *assembly = nullptr;
        impinge_assembly_new(&assembly);
        return assembly;
    }
};

} // namespace impinge

#endif
