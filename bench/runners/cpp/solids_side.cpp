// Point location by CGAL's Side_of_triangle_mesh with exact predicates: `solids_side POINTS`. Prints a line
// per set: its name, a letter per point (i inside, o outside, s on the surface), microseconds.
#include "solids.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>

using namespace bench;
using namespace bench::solids;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

int main(int argc, char** argv) {
  if (argc != 2) fail("usage: solids_side POINTS");
  const auto point = [](const Point& p) { return Kernel::Point_3(p[0], p[1], p[2]); };
  print_head("CGAL Side_of_triangle_mesh, EPICK");
  for (const Points& set : read_points(argv[1])) {
    const double start = spent();
    const auto mesh = solids::surface<Surface>(set.mesh, false, point);
    const CGAL::Side_of_triangle_mesh<Surface, Kernel> side(mesh);
    std::string letters;
    for (const Point& p : set.points) {
      const CGAL::Bounded_side found = side(point(p));
      letters += found == CGAL::ON_BOUNDED_SIDE ? 'i' : found == CGAL::ON_BOUNDARY ? 's' : 'o';
    }
    std::printf("%s\t%s\t%.0f\n", set.name.c_str(), letters.c_str(), spent() - start);
  }
}
