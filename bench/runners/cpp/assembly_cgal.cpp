// Finds every clash of an assembly by CGAL, as a program of some hundred lines would: sorted boxes
// (box_intersection_d) and exact predicates (Epick). It has two methods, as the faster one is not known in
// advance.
#include "assembly.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Triangle = Kernel::Triangle_3;
using Box = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, const Triangle*>;
using PartBox = CGAL::Box_intersection_d::Box_with_info_d<double, 3, uint32_t>;

class Cgal {
 public:
  using Point = Kernel::Point_3;
  using Assembly = bench::assembly::Assembly<Point>;

  static std::vector<std::string> methods() { return {"parts", "all"}; }
  static std::string name(const std::string& method) { return "CGAL box_intersection_d, " + method; }
  static const char* version() { return CGAL_VERSION_STR; }
  static std::string notes(const std::string& method) {
    const std::string how = method == "all"
                                ? "one box_self_intersection_d over all triangles"
                                : "box_self_intersection_d over the parts; for each pair the triangles that "
                                  "reach the other's box, box_intersection_d of those";
    return how + "; do_intersect with exact predicates; degenerate triangles are skipped, a precondition";
  }

  explicit Cgal(const Assembly& assembly) : part_(assembly.part), parts_(assembly.parts) {
    triangles_.reserve(assembly.triangles.size());
    proper_.reserve(assembly.triangles.size());
    for (const auto& [a, b, c] : assembly.triangles) {
      const Point &p = assembly.points[a], &q = assembly.points[b], &r = assembly.points[c];
      triangles_.emplace_back(p, q, r);
      proper_.push_back(!CGAL::collinear(p, q, r));
      if (!proper_.back()) found_.left_out++;
    }
  }

  bench::assembly::Found find(const std::string& method) {
    if (method == "all") all();
    else parts();
    found_.triangle_pairs = pairs_.size();
    std::sort(pairs_.begin(), pairs_.end());
    found_.clashing = size_t(std::unique(pairs_.begin(), pairs_.end()) - pairs_.begin());
    return found_;
  }

 private:
  /// One sweep over the triangles of all parts.
  void all() {
    std::vector<Box> boxes;
    boxes.reserve(triangles_.size() - found_.left_out);
    for (size_t i = 0; i < triangles_.size(); i++)
      if (proper_[i]) boxes.emplace_back(triangles_[i].bbox(), &triangles_[i]);
    CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), [this](const Box& a, const Box& b) {
      if (part(a) != part(b)) test(a, b);
    });
  }

  /// A sweep over the parts, and for each pair one over the triangles within the other's reach.
  void parts() {
    std::vector<std::vector<const Triangle*>> of(parts_);
    std::vector<CGAL::Bbox_3> bounds(parts_);
    for (size_t i = 0; i < triangles_.size(); i++) {
      if (!proper_[i]) continue;
      of[part_[i]].push_back(&triangles_[i]);
      bounds[part_[i]] += triangles_[i].bbox();
    }
    std::vector<PartBox> wholes;
    for (uint32_t part = 0; part < parts_; part++)
      if (!of[part].empty()) wholes.emplace_back(bounds[part], part);
    std::vector<Box> near_a, near_b;
    const auto within = [&of](const PartBox& part, const PartBox& other, std::vector<Box>& out) {
      const CGAL::Bbox_3 reach = other.bbox();
      out.clear();
      for (const Triangle* triangle : of[part.info()]) {
        const CGAL::Bbox_3 box = triangle->bbox();
        if (CGAL::do_overlap(box, reach)) out.emplace_back(box, triangle);
      }
      return !out.empty();
    };
    CGAL::box_self_intersection_d(wholes.begin(), wholes.end(), [&](const PartBox& a, const PartBox& b) {
      if (within(a, b, near_a) && within(b, a, near_b))
        CGAL::box_intersection_d(near_a.begin(), near_a.end(), near_b.begin(), near_b.end(),
                                 [this](const Box& p, const Box& q) { test(p, q); });
    });
  }

  uint32_t part(const Box& box) const { return part_[size_t(box.handle() - triangles_.data())]; }
  void test(const Box& a, const Box& b) {
    if (!CGAL::do_intersect(*a.handle(), *b.handle())) return;
    const uint32_t p = part(a), q = part(b);
    pairs_.push_back({std::min(p, q), std::max(p, q)});
  }

  const std::vector<uint32_t>& part_;
  uint32_t parts_;
  std::vector<Triangle> triangles_;
  std::vector<bool> proper_;
  /// The parts of each pair of triangles that meet.
  std::vector<std::array<uint32_t, 2>> pairs_;
  bench::assembly::Found found_;
};

int main(int argc, char** argv) { return bench::assembly::run<Cgal>(argc, argv); }
