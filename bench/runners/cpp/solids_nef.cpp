// What two solids are to each other by CGAL's Nef polyhedra, over exact numbers: `solids_nef PAIRS [FROM
// TO]`. A line a pair: pair, kind, whether boundaries meet (1, 0, or - where that was not asked),
// microseconds.
#include "solids.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Nef_polyhedron_3.h>
#include <CGAL/Surface_mesh.h>

using namespace bench;
using namespace bench::solids;
using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using FT = Kernel::FT;
using Exact = Kernel::Point_3;
using Surface = CGAL::Surface_mesh<Exact>;
using Nef = CGAL::Nef_polyhedron_3<Kernel>;

/// R v + t, not rounded.
struct Place {
  std::array<FT, 9> r;
  std::array<FT, 3> t;
  explicit Place(const Pose& pose) {
    for (int i = 0; i < 9; i++) r[i] = FT(pose.r[i]);
    for (int i = 0; i < 3; i++) t[i] = FT(pose.t[i]);
  }
  Exact operator()(const Point& v) const {
    std::array<FT, 3> x;
    for (int i = 0; i < 3; i++) {
      x[i] = r[3 * i] * FT(v[0]) + r[3 * i + 1] * FT(v[1]) + r[3 * i + 2] * FT(v[2]) + t[i];
      // The number itself, so that no tree of operations is carried along.
      x[i] = FT(CGAL::exact(x[i]));
    }
    return Exact(x[0], x[1], x[2]);
  }
  bool mirrors() const {
    const FT d = r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
                 r[2] * (r[3] * r[7] - r[4] * r[6]);
    return d < 0;
  }
};

Nef nef(const Mesh& mesh, const Place& place) {
  Surface surface = solids::surface<Surface>(merged(mesh), place.mirrors(), place);
  if (!CGAL::is_closed(surface)) throw std::runtime_error("a mesh is not closed");
  Nef made(surface);
  if (made.is_empty() || made.is_space()) throw std::runtime_error("a solid without inside or outside");
  return made;
}

/// The closure of the inside.
Nef nef(const Solid& body) {
  const Place place(body.pose);
  if (body.pieces.empty()) return nef(body.mesh, place);
  Nef all(Nef::EMPTY);
  for (const Piece& piece : body.pieces) {
    const Nef one = nef(piece.mesh, place);
    all = piece.added ? all + one : all - one;
  }
  return all.regularization();
}

std::string relation(const PairOfSolids& pair) {
  const Nef a = nef(pair.bodies[0]), b = nef(pair.bodies[1]);
  const Nef common = a * b;
  if (common.is_empty()) return "apart\t0";
  // The inside of what is common to both is what is common to their insides.
  if (common.interior().is_empty()) return "touch\t1";
  const bool only_a = !(a - b).is_empty(), only_b = !(b - a).is_empty();
  if (only_a && only_b) return "overlap\t-";
  const bool touching = !(a.boundary() * b.boundary()).is_empty();
  const std::string kind = only_a ? "b-in-a" : only_b ? "a-in-b" : "same";
  return kind + (touching ? "\t1" : "\t0");
}

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) fail("usage: solids_nef PAIRS [FROM TO]");
  const auto pairs = read_pairs(argv[1]);
  const size_t from = argc == 4 ? std::stoul(argv[2]) : 0;
  const size_t to = argc == 4 ? std::min<size_t>(std::stoul(argv[3]), pairs.size()) : pairs.size();
  CGAL::set_error_behaviour(CGAL::THROW_EXCEPTION);
  print_head("CGAL Nef_polyhedron_3, EPECK");
  for (size_t i = from; i < to; i++) {
    const double start = spent();
    std::string found;
    try {
      found = relation(pairs[i]);
    } catch (const std::exception& why) {
      found = "failed: " + one_line(why.what()) + "\t-";
    }
    std::printf("%zu\t%s\t%.0f\n", i, found.c_str(), spent() - start);
    std::fflush(stdout);
  }
}
