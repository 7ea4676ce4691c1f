// The common volume of two solids by CGAL's corefinement in exact numbers: `solids_volume PAIRS`. Prints a
// line per pair: pair, the volume rounded down and up to doubles, its formula, microseconds; `-` if a body is
// not an embedded two-manifold.
//
// If the common body is not a manifold, and so cannot be a CGAL mesh, the volume is computed from another
// body: |A and B| is |A| + |B| - |A or B|, |A| - |A less B|, |B| - |B less A|.
#include "solids_exact.h"

#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Polygon_mesh_processing/orientation.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>

#include <boost/optional.hpp>

using namespace bench;
using namespace bench::solids;
namespace PMP = CGAL::Polygon_mesh_processing;
namespace Of = CGAL::Polygon_mesh_processing::Corefinement;

Surface solid(const Solid& body) {
  Surface made = placed(body.mesh, Place(body.pose));
  if (!CGAL::is_closed(made)) throw std::runtime_error("a mesh is not closed");
  if (PMP::does_self_intersect(made)) throw std::runtime_error("a mesh meets itself");
  if (!PMP::does_bound_a_volume(made)) throw std::runtime_error("a mesh bounds no volume");
  if (!PMP::is_outward_oriented(made)) throw std::runtime_error("a mesh faces inwards");
  return made;
}

struct Common {
  FT volume;
  const char* how;
};

Common common(const PairOfSolids& pair) {
  Surface a = solid(pair.bodies[0]), b = solid(pair.bodies[1]);
  const FT of_a = PMP::volume(a), of_b = PMP::volume(b);
  std::array<Surface, 4> made;
  std::array<boost::optional<Surface*>, 4> wanted;
  for (int k = 0; k < 4; k++) wanted[k] = &made[k];
  const auto strict = CGAL::parameters::throw_on_self_intersection(true);
  const auto is_made = PMP::corefine_and_compute_boolean_operations(a, b, wanted, strict);
  const auto volume = [&](int which) { return PMP::volume(made[which]); };
  if (is_made[Of::INTERSECTION]) return {volume(Of::INTERSECTION), "intersection"};
  if (is_made[Of::UNION]) return {of_a + of_b - volume(Of::UNION), "union"};
  if (is_made[Of::TM1_MINUS_TM2]) return {of_a - volume(Of::TM1_MINUS_TM2), "a-less-b"};
  if (is_made[Of::TM2_MINUS_TM1]) return {of_b - volume(Of::TM2_MINUS_TM1), "b-less-a"};
  throw std::runtime_error("none of the four bodies is a manifold");
}

int main(int argc, char** argv) {
  if (argc != 2) fail("usage: solids_volume PAIRS");
  const auto pairs = read_pairs(argv[1]);
  CGAL::set_error_behaviour(CGAL::THROW_EXCEPTION);
  print_head("CGAL corefine_and_compute_boolean_operations, EPECK");
  for (size_t i = 0; i < pairs.size(); i++) {
    if (!pairs[i].bodies[0].manifold || !pairs[i].bodies[1].manifold) {
      std::printf("%zu\t-\t-\t-\t-\n", i);
      continue;
    }
    const double start = spent();
    try {
      const Common found = common(pairs[i]);
      // Of the evaluated number: an unevaluated one would have a wider interval.
      const auto [lo, hi] = CGAL::to_interval(CGAL::exact(found.volume));
      std::printf("%zu\t%.17g\t%.17g\t%s\t%.0f\n", i, lo, hi, found.how, spent() - start);
    } catch (const std::exception& why) {
      std::printf("%zu\tfailed: %s\t-\t-\t%.0f\n", i, one_line(why.what()).c_str(), spent() - start);
    }
    std::fflush(stdout);
  }
}
