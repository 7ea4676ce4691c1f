// Checks our results for points and rays in exact numbers: `points_exact FILE ANSWERS MOST`, for the first
// MOST queries of each set. Prints a line per set: number, name, number of checked queries, number that
// agree, and the first that does not. It uses CGAL's AABB_tree over triangles of exact coordinates; distances
// are decided on squares. For points near or on the surface nothing else gives the truth.
#include "points.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/version.h>

using namespace bench;
using namespace bench::points;
using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using FT = Kernel::FT;
using Triangle = Kernel::Triangle_3;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, std::vector<Triangle>::const_iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

Kernel::Point_3 at(const Six& q) { return {q[0], q[1], q[2]}; }

/// True if lo <= sqrt(square) <= hi.
bool holds_root(const FT& square, double lo, double hi) {
  return lo >= 0 && FT(lo) * FT(lo) <= square && square <= FT(hi) * FT(hi);
}

/// True if the least t at which the ray meets a triangle is in an interval; infinity means no hit.
bool holds_first(const Tree& tree, const Six& q, double lo, double hi) {
  const Kernel::Vector_3 d(q[3], q[4], q[5]);
  const Kernel::Ray_3 ray(at(q), d);
  const auto hit = tree.first_intersection(ray);
  if (!hit) return std::isinf(lo) && lo > 0;
  if (std::isinf(lo)) return false;
  const auto t = [&](const Kernel::Point_3& p) { return FT(((p - at(q)) * d) / d.squared_length()); };
  FT least;
  if (const auto* p = boost::get<Kernel::Point_3>(&hit->first)) least = t(*p);
  else if (const auto* s = boost::get<Kernel::Segment_3>(&hit->first)) least = std::min(t(s->source()), t(s->target()));
  else return false;
  return FT(lo) <= least && least <= FT(hi);
}

/// Location by the crossings of a ray; after a degenerate case in another direction. Valid for closed meshes
/// without self-intersections, where winding numbers are 0 and 1.
bool holds_inside(const Tree& tree, const Six& q, double told) {
  if (tree.do_intersect(at(q))) return told == 0.5;
  for (int turn = 1; turn < 50; turn++) {
    const Kernel::Ray_3 ray(at(q), Kernel::Vector_3(turn * 0.731 - 3, turn * turn * 0.377 + 0.5, 1.9 - turn * 0.113));
    std::vector<Tree::Primitive_id> met;
    tree.all_intersected_primitives(ray, std::back_inserter(met));
    const auto plain = [&](const Triangle& s) {
      // It meets no side: the side's line and that of the ray are not coplanar.
      for (int k = 0; k < 3; k++)
        if (CGAL::coplanar(s[k], s[(k + 1) % 3], ray.source(), ray.second_point())) return false;
      return true;
    };
    if (!std::all_of(met.begin(), met.end(), [&](const auto& one) { return plain(*one); })) continue;
    return told == (met.size() % 2 ? 1.0 : 0.0);
  }
  return false;
}

int main(int argc, char** argv) {
  if (argc != 4) fail("usage: points_exact FILE ANSWERS MOST");
  const File file = read(argv[1]);
  Reader answers(argv[2]);
  const size_t most = std::strtoull(argv[3], nullptr, 10);
  std::vector<Triangle> triangles;
  const auto point = [&](uint32_t i) {
    const Point& p = file.mesh.points[i];
    return Kernel::Point_3(p[0], p[1], p[2]);
  };
  for (const auto& t : file.mesh.triangles) {
    const Triangle one(point(t[0]), point(t[1]), point(t[2]));
    if (one.is_degenerate()) fail("the mesh has a degenerate triangle, which CGAL's primitives refuse");
    triangles.push_back(one);
  }
  Tree tree(triangles.begin(), triangles.end());
  tree.build();
  tree.accelerate_distance_queries();
  std::printf("#engine\tCGAL AABB_tree, exact kernel\n#version\t%s\n", CGAL_VERSION_STR);
  for (size_t number = 0; number < file.sets.size(); number++) {
    const Questions& set = file.sets[number];
    size_t asked = 0, agreed = 0;
    std::string against = "-";
    for (size_t i = 0; i < set.asked.size(); i++) {
      const double lo = answers.take<double>("an answer"), hi = answers.take<double>("an answer");
      if (i >= most) continue;
      const Six& q = set.asked[i];
      const bool holds = set.kind == Kind::closest ? holds_root(tree.squared_distance(at(q)), lo, hi)
                         : set.kind == Kind::first ? holds_first(tree, q, lo, hi)
                                                   : holds_inside(tree, q, lo);
      asked++;
      agreed += holds;
      if (!holds && against == "-") against = std::to_string(i);
    }
    std::printf("%zu\t%s\t%zu\t%zu\t%s\n", number, set.name.c_str(), asked, agreed, against.c_str());
  }
}
