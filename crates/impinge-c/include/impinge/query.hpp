// Queries: a part of impinge.hpp.
#ifndef IMPINGE_QUERY_HPP
#define IMPINGE_QUERY_HPP

#include "objects.hpp"

namespace impinge {

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
    /// Sets whether queries at many poses take poses that scale, shear or mirror.
    Done set_affine(bool affine) { return detail::done(impinge_query_set_affine(get(), affine)); }
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
    /// One result for each pair; not 0 means that they meet.
    Result<std::vector<std::uint8_t>> intersects_each(Span<const BodyPair> pairs) {
        return truths(pairs.size(), [&](bool *out) {
            return impinge_intersects_each(get(), pairs.data(), pairs.size(), out);
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
    Result<std::vector<impinge_contact>> first_contact_each(Span<const BodyPair> pairs) {
        return each<impinge_contact>(pairs.size(), [&](impinge_contact *out) {
            return impinge_first_contact_each(get(), pairs.data(), pairs.size(), out);
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
    /// One list for each pose.
    Result<std::vector<std::vector<Pair>>> pairs_at(const Body &a, const Model &b, Span<const Pose> poses) {
        return lists(poses.size(),
                     [&](std::size_t *ends, Pair *items, std::size_t capacity, std::size_t *count) {
                         return impinge_pairs_at(get(), a.get(), b.get(), poses.data(), poses.size(), ends,
                                                 items, capacity, count);
                     });
    }
    /// One list for each pair of bodies.
    Result<std::vector<std::vector<Pair>>> pairs_each(Span<const BodyPair> pairs) {
        return lists(
            pairs.size(), [&](std::size_t *ends, Pair *items, std::size_t capacity, std::size_t *count) {
                return impinge_pairs_each(get(), pairs.data(), pairs.size(), ends, items, capacity, count);
            });
    }
    Result<bool> self_intersects(const Model &model) {
        return one<bool>([&](bool *out) { return impinge_self_intersects(get(), model.get(), out); });
    }
    Result<impinge_contact> self_first_contact(const Model &model) {
        return one<impinge_contact>(
            [&](impinge_contact *out) { return impinge_self_first_contact(get(), model.get(), out); });
    }
    Result<std::vector<Pair>> self_pairs(const Model &model) {
        return detail::list<Pair>([&](Pair *items, std::size_t capacity, std::size_t *count) {
            return impinge_self_pairs(get(), model.get(), items, capacity, count);
        });
    }
    Result<bool> within(const Body &a, const Body &b, double margin) {
        return one<bool>([&](bool *out) { return impinge_within(get(), a.get(), b.get(), margin, out); });
    }
    Result<impinge_contact> first_within(const Body &a, const Body &b, double margin) {
        return one<impinge_contact>(
            [&](impinge_contact *out) { return impinge_first_within(get(), a.get(), b.get(), margin, out); });
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
    Result<std::vector<impinge_distance_result>>
    distance_each(Span<const BodyPair> pairs, const impinge_accuracy &accuracy = impinge_accuracy_default()) {
        return each<impinge_distance_result>(pairs.size(), [&](impinge_distance_result *out) {
            return impinge_distance_each(get(), pairs.data(), pairs.size(), &accuracy, out);
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
    Result<std::vector<impinge_relation_result>> relation_each(Span<const BodyPair> pairs) {
        return each<impinge_relation_result>(pairs.size(), [&](impinge_relation_result *out) {
            return impinge_relation_each(get(), pairs.data(), pairs.size(), out);
        });
    }
    Result<bool> overlaps(const Body &a, const Body &b) {
        return one<bool>([&](bool *out) { return impinge_overlaps(get(), a.get(), b.get(), out); });
    }
    Result<impinge_penetration_result> penetration(const Body &a, const Body &b, std::uint32_t parts) {
        return one<impinge_penetration_result>([&](impinge_penetration_result *out) {
            return impinge_penetration(get(), a.get(), b.get(), parts, out);
        });
    }
    Result<impinge_farthest_result>
    farthest_distance(const Body &a, const Body &b, impinge_side side = IMPINGE_SIDE_ANY,
                      const impinge_accuracy &accuracy = impinge_accuracy_default()) {
        return one<impinge_farthest_result>([&](impinge_farthest_result *out) {
            return impinge_farthest_distance(get(), a.get(), b.get(), side, &accuracy, out);
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
    /// One result for each ray; not 0 means that it meets the body.
    Result<std::vector<std::uint8_t>> ray_meets(const Body &body, Span<const Ray> rays) {
        return truths(rays.size(), [&](bool *out) {
            return impinge_ray_meets(get(), body.get(), rays.data(), rays.size(), out);
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
    /// From one pose to another, for each of as many starts as ends.
    Result<impinge_shift_contact> first_shift_contact(const Body &a, const Body &b, Point by) {
        return one<impinge_shift_contact>([&](impinge_shift_contact *out) {
            return impinge_first_shift_contact(get(), a.get(), b.get(), by.data(), out);
        });
    }
    Result<std::vector<impinge_sweep_result>>
    sweep_at(const Body &a, const Model &b, Span<const Pose> starts, Span<const Pose> ends,
             const impinge_sweep_options &options = impinge_sweep_options_default()) {
        if (starts.size() != ends.size())
            return Error{IMPINGE_STATUS_INVALID_ARGUMENT,
                         "a path has a start and an end: " + std::to_string(starts.size()) + " starts, " +
                             std::to_string(ends.size()) + " ends"};
        return each<impinge_sweep_result>(starts.size(), [&](impinge_sweep_result *out) {
            return impinge_sweep_at(get(), a.get(), b.get(), starts.data(), ends.data(), starts.size(),
                                    &options, out);
        });
    }
    Result<std::vector<impinge_sweep_result>>
    sweep_each(Span<const MovingPair> pairs,
               const impinge_sweep_options &options = impinge_sweep_options_default()) {
        return each<impinge_sweep_result>(pairs.size(), [&](impinge_sweep_result *out) {
            return impinge_sweep_each(get(), pairs.data(), pairs.size(), &options, out);
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

    Result<impinge_coverage_result>
    coverage(const Body &part, const Proxy &proxy,
             const impinge_coverage_options &options = impinge_coverage_options_default()) {
        const impinge_proxy view = proxy.view();
        return one<impinge_coverage_result>([&](impinge_coverage_result *out) {
            return impinge_coverage(get(), part.get(), &view, &options, out);
        });
    }
    Result<impinge_excess_result>
    excess(const Body &part, const Proxy &proxy,
           const impinge_excess_options &options = impinge_excess_options_default()) {
        const impinge_proxy view = proxy.view();
        return one<impinge_excess_result>([&](impinge_excess_result *out) {
            return impinge_excess(get(), part.get(), &view, &options, out);
        });
    }
    Result<Interval> proxy_volume(const Proxy &proxy,
                                  const impinge_excess_options &options = impinge_excess_options_default()) {
        const impinge_proxy view = proxy.view();
        return one<Interval>(
            [&](Interval *out) { return impinge_proxy_volume(get(), &view, &options, out); });
    }
    /// The distance of each point, negative inside.
    Result<std::vector<Interval>> point_depths(const Proxy &proxy, Span<const Point> points) {
        const impinge_proxy view = proxy.view();
        return each<Interval>(points.size(), [&](Interval *out) {
            return impinge_point_depths(get(), &view, detail::numbers(points), points.size(), out);
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
    /// `count` lists: `call` writes the end of each, and fills a buffer.
    template <class Call> static Result<std::vector<std::vector<Pair>>> lists(std::size_t count, Call call) {
        std::vector<std::size_t> ends(count);
        const auto all = detail::list<Pair>([&](Pair *items, std::size_t capacity, std::size_t *found) {
            return call(ends.data(), items, capacity, found);
        });
        if (!all)
            return all.error();
        std::vector<std::vector<Pair>> lists;
        std::size_t start = 0;
        for (const std::size_t end : ends) {
            lists.emplace_back(all->data() + start, all->data() + end);
            start = end;
        }
        return lists;
    }
    /// A vector of bool has no pointer to bool.
    template <class Call> static Result<std::vector<std::uint8_t>> truths(std::size_t count, Call call) {
        const std::unique_ptr<bool[]> values(new bool[count]());
        const impinge_status status = call(values.get());
        return detail::result(status, std::vector<std::uint8_t>(values.get(), values.get() + count));
    }
};

} // namespace impinge

#endif
