// Results, poses, meshes, models and bodies: a part of impinge.hpp.
#ifndef IMPINGE_OBJECTS_HPP
#define IMPINGE_OBJECTS_HPP

#include "../impinge.h"

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
    /// A body that also takes poses that scale, shear or mirror.
    static Result<Body> place_affine(const Model &model, const Pose &pose = {}) {
        return detail::create<Body, impinge_body>(
            [&](impinge_body **out) { return impinge_body_new_affine(model.get(), &pose, out); });
    }
    static Result<Body> half_space(const Point &normal, double offset) {
        return detail::create<Body, impinge_body>(
            [&](impinge_body **out) { return impinge_body_new_half_space(normal.data(), offset, out); });
    }
    Done set_pose(const Pose &pose) { return detail::done(impinge_body_set_pose(get(), &pose)); }
    Done set_radius(double radius) { return detail::done(impinge_body_set_radius(get(), radius)); }
};

/// Two bodies of a list, which outlive it.
struct BodyPair : impinge_body_pair {
    BodyPair(const Body &a, const Body &b) : impinge_body_pair{a.get(), b.get()} {}
};
static_assert(sizeof(BodyPair) == sizeof(impinge_body_pair), "pairs are passed as lists");

/// Two bodies in motion. Both, and their paths, outlive it; an empty path is a body at rest.
struct MovingPair : impinge_moving_pair {
    MovingPair(const Body &a, Span<const Pose> path_a, const Body &b, Span<const Pose> path_b)
        : impinge_moving_pair{{a.get(), path_a.data(), path_a.size()},
                              {b.get(), path_b.data(), path_b.size()}} {}
};
static_assert(sizeof(MovingPair) == sizeof(impinge_moving_pair), "pairs are passed as lists");

/// Shapes that stand for a part together. Bodies outlive it.
class Proxy {
public:
    void add_ball(const Point &center, double radius) {
        balls_.push_back({center[0], center[1], center[2], radius});
    }
    void add_cylinder(const Point &a, const Point &b, double radius) {
        cylinders_.push_back({a[0], a[1], a[2], b[0], b[1], b[2], radius});
    }
    void add(const Body &body) { bodies_.push_back(body.get()); }
    /// The same for C, valid until the next change.
    impinge_proxy view() const {
        impinge_proxy proxy{};
        proxy.balls = balls_.empty() ? nullptr : balls_.data()->data();
        proxy.ball_count = balls_.size();
        proxy.cylinders = cylinders_.empty() ? nullptr : cylinders_.data()->data();
        proxy.cylinder_count = cylinders_.size();
        proxy.bodies = bodies_.data();
        proxy.body_count = bodies_.size();
        return proxy;
    }

private:
    std::vector<std::array<double, 4>> balls_;
    std::vector<std::array<double, 7>> cylinders_;
    std::vector<const impinge_body *> bodies_;
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

} // namespace impinge

#endif
