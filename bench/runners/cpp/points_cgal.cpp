// CGAL on points and rays: `points_cgal FILE PASSES ANSWERS`, as described in ../../contract/src/points.rs.
// AABB_tree over the triangles, and Side_of_triangle_mesh on its own tree; exact predicates, rounded
// constructions.
#include "points.h"

#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>

#include <optional>

using namespace bench;
using namespace bench::points;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
using Primitive = CGAL::AABB_face_graph_triangle_primitive<Surface>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

Kernel::Point_3 at(const Six& q) { return {q[0], q[1], q[2]}; }

/// t of the nearest point of the ray's intersection.
double first(const Tree& tree, const Six& q) {
  const Kernel::Vector_3 d(q[3], q[4], q[5]);
  const auto hit = tree.first_intersection(Kernel::Ray_3(at(q), d));
  if (!hit) return std::numeric_limits<double>::infinity();
  const auto t = [&](const Kernel::Point_3& p) { return ((p - at(q)) * d) / d.squared_length(); };
  if (const auto* p = boost::get<Kernel::Point_3>(&hit->first)) return t(*p);
  if (const auto* s = boost::get<Kernel::Segment_3>(&hit->first)) return std::min(t(s->source()), t(s->target()));
  return std::numeric_limits<double>::quiet_NaN();
}

int main(int argc, char** argv) {
  if (argc != 4) fail("usage: points_cgal FILE PASSES ANSWERS");
  const File file = read(argv[1]);
  const int passes = std::atoi(argv[2]);
  Surface mesh;
  std::vector<Surface::Vertex_index> vertices;
  for (const Point& p : file.mesh.points) vertices.push_back(mesh.add_vertex({p[0], p[1], p[2]}));
  for (const auto& t : file.mesh.triangles)
    if (mesh.add_face(vertices[t[0]], vertices[t[1]], vertices[t[2]]) == Surface::null_face())
      fail("CGAL refuses the mesh: it is not manifold");
  const auto faces = CGAL::faces(mesh);
  Tree tree(faces.begin(), faces.end(), mesh);
  tree.build();
  tree.accelerate_distance_queries();
  std::optional<CGAL::Side_of_triangle_mesh<Surface, Kernel>> side;
  std::printf("#engine\tCGAL AABB_tree, Side_of_triangle_mesh\n#version\t%s\n#notes\texact predicates, rounded results\n",
              CGAL_VERSION_STR);
  std::ofstream out(argv[3], std::ios::binary);
  for (size_t number = 0; number < file.sets.size(); number++) {
    const Questions& set = file.sets[number];
    std::vector<double> answers;
    const auto one = [&](const Six& q) {
      switch (set.kind) {
        case Kind::closest: return std::sqrt(tree.squared_distance(at(q)));
        case Kind::first: return first(tree, q);
        default: {
          const CGAL::Bounded_side found = (*side)(at(q));
          return found == CGAL::ON_BOUNDED_SIDE ? 1.0 : found == CGAL::ON_BOUNDARY ? 0.5 : 0.0;
        }
      }
    };
    if (set.kind == Kind::inside && !side) side.emplace(mesh);
    double least = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass <= passes; pass++) {
      answers.clear();
      const double start = spent();
      for (const Six& q : set.asked) answers.push_back(one(q));
      if (pass > 0) least = std::min(least, spent() - start);
    }
    std::printf("%zu\t%s\t%.1f\n", number, set.name.c_str(), least / double(set.asked.size()));
    for (const double x : answers)
      for (int twice = 0; twice < 2; twice++) out.write(reinterpret_cast<const char*>(&x), sizeof x);
  }
  if (!out.flush()) fail("the answers cannot be written");
}
