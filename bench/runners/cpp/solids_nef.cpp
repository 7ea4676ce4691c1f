// Relations of two solids by CGAL's Nef polyhedra, in exact numbers: `solids_nef relation|volume PAIRS [FROM
// TO]`. Prints a line per pair. For relations: pair, kind, whether boundaries meet (1, 0, or - if that was
// not computed), microseconds. For volumes: pair, the common volume rounded down and up to doubles,
// microseconds.
#include "solids_exact.h"

#include <CGAL/Nef_polyhedron_3.h>
#include <CGAL/Polygon_mesh_processing/measure.h>

using namespace bench;
using namespace bench::solids;
using Nef = CGAL::Nef_polyhedron_3<Kernel>;
namespace PMP = CGAL::Polygon_mesh_processing;

/// The sum over the facets of a shell of p . N, with a point p of the facet, and N twice its area vector: the
/// sum of the products of the ends of its edges.
struct Facets {
  FT sum = 0;
  void visit(Nef::Halffacet_const_handle facet) {
    Kernel::Vector_3 p = CGAL::NULL_VECTOR;
    for (auto cycle = facet->facet_cycles_begin(); cycle != facet->facet_cycles_end(); ++cycle) {
      if (!cycle.is_shalfedge()) continue;
      Nef::SHalfedge_around_facet_const_circulator edge = Nef::SHalfedge_const_handle(cycle), end = edge;
      const auto corner = [](auto at) { return at->source()->center_vertex()->point() - CGAL::ORIGIN; };
      // One point for all cycles of the facet.
      if (cycle == facet->facet_cycles_begin()) p = corner(edge);
      CGAL_For_all(edge, end) {
        auto next = edge;
        sum += CGAL::determinant(p, corner(edge), corner(++next));
      }
    }
  }
  // A shell without volume.
  void visit(Nef::Vertex_const_handle) {}
  void visit(Nef::Halfedge_const_handle) {}
  void visit(Nef::SHalfedge_const_handle) {}
  void visit(Nef::SHalfloop_const_handle) {}
  void visit(Nef::SFace_const_handle) {}
};

/// A facet's normal points into the volume from which it is visited.
FT volume(const Nef& body) {
  Facets facets;
  for (auto part = body.volumes_begin(); part != body.volumes_end(); ++part) {
    if (!part->mark()) continue;
    for (auto shell = part->shells_begin(); shell != part->shells_end(); ++shell)
      body.visit_shell_objects(Nef::SFace_const_handle(shell), facets);
  }
  return -facets.sum / 6;
}

Nef nef(const Mesh& mesh, const Place& place) {
  Surface surface = placed(mesh, place);
  if (!CGAL::is_closed(surface)) throw std::runtime_error("a mesh is not closed");
  Nef made(surface);
  if (made.is_empty() || made.is_space()) throw std::runtime_error("a solid without inside or outside");
  // CGAL 5.5 turns some meshes, embedded and closed by its own predicates, into polyhedra of another volume.
  if (volume(made) != CGAL::abs(PMP::volume(surface)))
    throw std::runtime_error("the Nef polyhedron of a mesh has another volume than the mesh");
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
  // The inside of the intersection is the intersection of the insides.
  if (common.interior().is_empty()) return "touch\t1";
  const bool only_a = !(a - b).is_empty(), only_b = !(b - a).is_empty();
  if (only_a && only_b) return "overlap\t-";
  const bool touching = !(a.boundary() * b.boundary()).is_empty();
  const std::string kind = only_a ? "b-in-a" : only_b ? "a-in-b" : "same";
  return kind + (touching ? "\t1" : "\t0");
}

/// The volume of the intersection.
FT volume(const PairOfSolids& pair) { return volume(nef(pair.bodies[0]) * nef(pair.bodies[1])); }

std::string ends(const FT& volume) {
  // Of the evaluated number: an unevaluated one would have a wider interval.
  const auto [lo, hi] = CGAL::to_interval(CGAL::exact(volume));
  char text[64];
  std::snprintf(text, sizeof text, "%.17g\t%.17g", lo, hi);
  return text;
}

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) fail("usage: solids_nef relation|volume PAIRS [FROM TO]");
  const std::string asked = argv[1];
  if (asked != "relation" && asked != "volume") fail("there is no query " + asked);
  const auto pairs = read_pairs(argv[2]);
  const size_t from = argc == 5 ? std::stoul(argv[3]) : 0;
  const size_t to = argc == 5 ? std::min<size_t>(std::stoul(argv[4]), pairs.size()) : pairs.size();
  CGAL::set_error_behaviour(CGAL::THROW_EXCEPTION);
  print_head("CGAL Nef_polyhedron_3, EPECK");
  for (size_t i = from; i < to; i++) {
    const double start = spent();
    std::string found;
    try {
      found = asked == "relation" ? relation(pairs[i]) : ends(volume(pairs[i]));
    } catch (const std::exception& why) {
      found = "failed: " + one_line(why.what()) + "\t-";
    }
    std::printf("%zu\t%s\t%.0f\n", i, found.c_str(), spent() - start);
    std::fflush(stdout);
  }
}
