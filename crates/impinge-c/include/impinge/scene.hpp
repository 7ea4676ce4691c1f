// Scenes: a part of impinge.hpp.
#ifndef IMPINGE_SCENE_HPP
#define IMPINGE_SCENE_HPP

#include "query.hpp"

namespace impinge {

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
    Result<std::uint32_t> add_half_space(const Point &normal, double offset) {
        std::uint32_t body = 0;
        const impinge_status status = impinge_scene_add_half_space(get(), normal.data(), offset, &body);
        return detail::result(status, body);
    }
    /// Sets whether later calls take poses that scale, shear or mirror.
    Done set_affine(bool affine) { return detail::done(impinge_scene_set_affine(get(), affine)); }
    Done set_model(std::uint32_t body, const Model &model) {
        return detail::done(impinge_scene_set_model(get(), body, model.get()));
    }
    Done deform(std::uint32_t body, Span<const Point> points) {
        return detail::done(impinge_scene_deform(get(), body, detail::numbers(points), points.size()));
    }
    Done set_half_space(std::uint32_t body, const Point &normal, double offset) {
        return detail::done(impinge_scene_set_half_space(get(), body, normal.data(), offset));
    }
    Done set_stop(const Stop &stop) { return detail::done(impinge_scene_set_stop(get(), stop.get())); }
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
    Done set_body_margin(std::uint32_t body, double margin) {
        return detail::done(impinge_scene_set_body_margin(get(), body, margin));
    }
    Done set_pair_margin(std::uint32_t a, std::uint32_t b, double margin) {
        return detail::done(impinge_scene_set_pair_margin(get(), a, b, margin));
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
    /// Pairs of bodies.
    Result<std::vector<Pair>> near_ended() const {
        return detail::list<Pair>([&](Pair *items, std::size_t capacity, std::size_t *count) {
            return impinge_scene_near_ended(get(), items, capacity, count);
        });
    }
    Result<std::vector<impinge_scene_nearest>>
    nearest_bodies(Span<const Point> points, const impinge_accuracy &accuracy = impinge_accuracy_default()) {
        std::vector<impinge_scene_nearest> nearest(points.size());
        const impinge_status status = impinge_scene_nearest_bodies(get(), detail::numbers(points),
                                                                   points.size(), &accuracy, nearest.data());
        return detail::result(status, std::move(nearest));
    }
    Result<impinge_scene_sweep_result>
    sweep(Query &query, std::uint32_t body, Span<const Pose> path,
          const impinge_sweep_options &options = impinge_sweep_options_default()) const {
        impinge_scene_sweep_result sweep{};
        const impinge_status status =
            impinge_scene_sweep(get(), query.get(), body, path.data(), path.size(), &options, &sweep);
        return detail::result(status, sweep);
    }

private:
    static impinge_scene *make(std::uint16_t threads) {
        impinge_scene *scene = nullptr;
        threads == 1 ? impinge_scene_new(&scene) : impinge_scene_new_threaded(threads, &scene);
        return scene;
    }
};

} // namespace impinge

#endif
