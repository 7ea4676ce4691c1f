// Relations of two solids by CGAL with exact predicates: `solids_race PAIRS METHOD PASSES`. Prints a line per
// pair: pair, answer, medians in microseconds of processor time of the query only, and of everything from the
// arrays of points and triangles on. Meshes are placed, rounded, outside the clock.
//
// `corefine`: PMP::corefine_and_compute_intersection of copies that are made outside the clock, and the sign
// of its volume; the answer is `volume` or `no-volume`. `rigid`: Rigid_triangle_mesh_collision_detection with
// inclusion; the answer is `surfaces`, `inclusion`, or `nothing`.
#include "solids.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Surface_mesh.h>

using namespace bench;
using namespace bench::solids;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
namespace PMP = CGAL::Polygon_mesh_processing;

struct Entry {
  std::array<Mesh, 2> meshes;
  std::array<Surface, 2> surfaces;
  std::string answer;
  std::vector<double> alone, whole;
};

Surface make(const Mesh& mesh) {
  const auto point = [](const Point& p) { return Kernel::Point_3(p[0], p[1], p[2]); };
  return solids::surface<Surface>(mesh, false, point);
}

std::string corefine(Surface& a, Surface& b) {
  Surface common;
  const auto strict = CGAL::parameters::throw_on_self_intersection(true);
  if (!PMP::corefine_and_compute_intersection(a, b, common, strict)) return "no-mesh";
  if (common.number_of_faces() == 0) return "no-volume";
  return PMP::volume(common) > 0 ? "volume" : "no-volume";
}

using Rigid = CGAL::Rigid_triangle_mesh_collision_detection<Surface>;

std::string rigid(const Rigid& collisions) {
  const auto found = collisions.get_all_intersections_and_inclusions(0);
  return found.empty() ? "nothing" : found[0].second ? "inclusion" : "surfaces";
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Both times of a pair, one pass.
template <class Ask>
void time(Entry& entry, bool timed, const Ask& ask) {
  double alone = 0, whole = 0;
  const std::string answer = ask(alone, whole);
  if (!entry.answer.empty() && entry.answer != answer) throw std::runtime_error("the answer differs from the one before");
  entry.answer = answer;
  if (timed) entry.alone.push_back(alone), entry.whole.push_back(whole);
}

void pass(Entry& entry, const std::string& method, bool timed) {
  if (method == "corefine") {
    time(entry, timed, [&](double& alone, double& whole) {
      Surface a = entry.surfaces[0], b = entry.surfaces[1];
      double start = spent();
      const std::string answer = corefine(a, b);
      alone = spent() - start;
      start = spent();
      Surface c = make(entry.meshes[0]), d = make(entry.meshes[1]);
      corefine(c, d);
      whole = spent() - start;
      return answer;
    });
  } else {
    time(entry, timed, [&](double& alone, double& whole) {
      double start = spent();
      Rigid collisions;
      const Surface a = make(entry.meshes[0]), b = make(entry.meshes[1]);
      collisions.add_mesh(a), collisions.add_mesh(b);
      // Trees are built on first use.
      const std::string answer = rigid(collisions);
      whole = spent() - start;
      start = spent();
      rigid(collisions);
      alone = spent() - start;
      return answer;
    });
  }
}

int main(int argc, char** argv) {
  if (argc != 4) fail("usage: solids_race PAIRS corefine|rigid PASSES");
  const std::string method = argv[2];
  const size_t passes = std::stoul(argv[3]);
  if (method != "corefine" && method != "rigid") fail("there is no method " + method);
  CGAL::set_error_behaviour(CGAL::THROW_EXCEPTION);
  std::vector<Entry> entries;
  for (const auto& pair : read_pairs(argv[1])) {
    Entry entry;
    for (int k = 0; k < 2; k++) {
      const Solid& body = pair.bodies[k];
      entry.meshes[k] = merged(body.mesh);
      for (Point& p : entry.meshes[k].points) p = body.pose.place(p);
    }
    try {
      for (int k = 0; k < 2; k++) entry.surfaces[k] = make(entry.meshes[k]);
    } catch (const std::exception& why) {
      entry.answer = "failed: " + one_line(why.what());
    }
    entries.push_back(std::move(entry));
  }
  print_head(method == "rigid" ? "CGAL Rigid_triangle_mesh_collision_detection, EPICK"
                               : "CGAL corefine_and_compute_intersection, EPICK");
  for (size_t i = 0; i <= passes; i++)
    for (Entry& entry : entries) {
      if (entry.answer.rfind("failed", 0) == 0) continue;
      try {
        pass(entry, method, i > 0);
      } catch (const std::exception& why) {
        entry.answer = "failed: " + one_line(why.what());
      }
    }
  for (size_t i = 0; i < entries.size(); i++) {
    const Entry& entry = entries[i];
    if (entry.answer.rfind("failed", 0) == 0 || entry.alone.empty())
      std::printf("%zu\t%s\t-\t-\n", i, entry.answer.c_str());
    else
      std::printf("%zu\t%s\t%.2f\t%.2f\n", i, entry.answer.c_str(), median(entry.alone), median(entry.whole));
  }
}
