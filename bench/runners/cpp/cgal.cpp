// The two ways that CGAL's manual offers for all intersecting pairs of triangles. Exact predicates (Epick),
// on points that are first placed in f64.
#include "runner.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Triangle = Kernel::Triangle_3;

/// A mesh that is placed again each time, without the triangles that are degenerate then: they violate a
/// precondition of CGAL's tests of triangles, and rounding a placed sliver suffices for that.
class Proper {
 public:
  explicit Proper(const bench::Mesh& mesh) : points_(mesh.points), triangles_(mesh.triangles) {}
  /// The triangles, their vertices placed by `place`.
  template <class Place>
  void placed(std::vector<Triangle>& out, Place place) {
    scratch_.clear();
    for (const auto& p : points_) {
      const bench::Point x = place(p);
      scratch_.emplace_back(x[0], x[1], x[2]);
    }
    out.clear();
    names_.clear();
    for (uint32_t i = 0; i < triangles_.size(); i++) {
      const auto& [p, q, r] = triangles_[i];
      if (CGAL::collinear(scratch_[p], scratch_[q], scratch_[r])) continue;
      out.emplace_back(scratch_[p], scratch_[q], scratch_[r]);
      names_.push_back(i);
    }
  }
  /// The scene's index of triangle `i` here.
  uint32_t name(size_t i) const { return names_[i]; }
  int64_t bytes() const {
    return points_.capacity() * sizeof(bench::Point) + triangles_.capacity() * 12 + names_.capacity() * 4 +
           scratch_.capacity() * sizeof(Kernel::Point_3);
  }

 private:
  std::vector<bench::Point> points_;
  std::vector<std::array<uint32_t, 3>> triangles_;
  std::vector<uint32_t> names_;
  std::vector<Kernel::Point_3> scratch_;
};

/// A tree over the larger mesh, queried with each triangle of the smaller.
class Tree {
  using Iterator = std::vector<Triangle>::const_iterator;
  using Traits = CGAL::AABB_traits<Kernel, CGAL::AABB_triangle_primitive<Kernel, Iterator>>;

 public:
  static bench::Options options() { return {{"method", "tree"}}; }
  Tree(const bench::Mesh& a, const bench::Mesh& b, const bench::Options&)
      : swapped_(b.triangles.size() > a.triangles.size()), small_(swapped_ ? a : b), large_(swapped_ ? b : a) {
    large_.placed(big_, [](const bench::Point& p) { return p; });
    tree_.insert(big_.cbegin(), big_.cend());
    tree_.build();
  }
  std::string name() const { return "CGAL AABB_tree"; }
  std::string version() const { return CGAL_VERSION_STR; }
  std::string notes() const {
    return "exact predicates on rounded points: the smaller mesh is moved into the larger one's frame by the rounded relative pose, "
           "within the clock; a tree over the larger mesh only; degenerate triangles are skipped, a precondition";
  }
  int64_t copied() const { return big_.capacity() * sizeof(Triangle) + small_.bytes() + large_.bytes(); }
  void place(const std::array<bench::Pose, 2>& frame) {
    const bench::Pose &big = frame[swapped_ ? 1 : 0], &small = frame[swapped_ ? 0 : 1];
    for (int i = 0; i < 3; i++) {  // R^T for the inverse of R
      pose_.t[i] = 0;
      for (int k = 0; k < 3; k++) pose_.t[i] += big.r[3 * k + i] * (small.t[k] - big.t[k]);
      for (int j = 0; j < 3; j++) {
        pose_.r[3 * i + j] = 0;
        for (int k = 0; k < 3; k++) pose_.r[3 * i + j] += big.r[3 * k + i] * small.r[3 * k + j];
      }
    }
  }
  void query(bool all, std::vector<bench::Pair>& pairs) {
    pairs.clear();
    small_.placed(moved_, [&](const bench::Point& p) { return pose_.place(p); });
    for (size_t j = 0; j < moved_.size(); j++) {
      if (all) {
        found_.clear();
        tree_.all_intersected_primitives(moved_[j], std::back_inserter(found_));
        for (const auto& it : found_) push(pairs, it, j);
      } else if (const auto it = tree_.any_intersected_primitive(moved_[j])) {
        push(pairs, *it, j);
        return;
      }
    }
  }

 private:
  void push(std::vector<bench::Pair>& pairs, Iterator it, size_t j) const {
    const uint32_t i = large_.name(it - big_.cbegin()), k = small_.name(j);
    if (swapped_) pairs.emplace_back(k, i);
    else pairs.emplace_back(i, k);
  }
  bool swapped_;
  Proper small_, large_;
  std::vector<Triangle> big_, moved_;
  CGAL::AABB_tree<Traits> tree_;
  std::vector<Iterator> found_;
  bench::Pose pose_;
};

/// No hierarchy: both meshes are placed, boxed and swept again each query, as the manual advises for all
/// pairs.
class Boxes {
  using Box = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, const Triangle*>;

 public:
  static bench::Options options() { return Tree::options(); }
  Boxes(const bench::Mesh& a, const bench::Mesh& b, const bench::Options&) : mesh_{Proper(a), Proper(b)} {}
  std::string name() const { return "CGAL box_intersection_d"; }
  std::string version() const { return CGAL_VERSION_STR; }
  std::string notes() const {
    return "exact predicates on rounded points: both meshes are placed in f64, boxed and swept, all within the clock; no hierarchy; "
           "no early end, so `first` costs as much as `pairs`; degenerate triangles are skipped, a precondition";
  }
  int64_t copied() const {
    return mesh_[0].bytes() + mesh_[1].bytes();
  }
  void place(const std::array<bench::Pose, 2>& frame) { frame_ = frame; }
  void query(bool all, std::vector<bench::Pair>& pairs) {
    pairs.clear();
    for (int k = 0; k < 2; k++) {
      mesh_[k].placed(triangles_[k], [&](const bench::Point& p) { return frame_[k].place(p); });
      boxes_[k].clear();
      for (const auto& t : triangles_[k]) boxes_[k].emplace_back(t.bbox(), &t);
    }
    const Triangle *a = triangles_[0].data(), *b = triangles_[1].data();
    CGAL::box_intersection_d(boxes_[0].begin(), boxes_[0].end(), boxes_[1].begin(), boxes_[1].end(), [&](const Box& p, const Box& q) {
      if ((all || pairs.empty()) && CGAL::do_intersect(*p.handle(), *q.handle()))
        pairs.emplace_back(mesh_[0].name(p.handle() - a), mesh_[1].name(q.handle() - b));
    });
  }

 private:
  Proper mesh_[2];
  std::array<bench::Pose, 2> frame_;
  std::vector<Triangle> triangles_[2];
  std::vector<Box> boxes_[2];
};

int main(int argc, char** argv) {
  const std::string method = bench::parse(argc, argv, Tree::options()).options["method"];
  if (method == "tree") return bench::run<Tree>(argc, argv);
  if (method == "boxes") return bench::run<Boxes>(argc, argv);
  bench::fail("--method is tree or boxes, not `" + method + "`");
}
