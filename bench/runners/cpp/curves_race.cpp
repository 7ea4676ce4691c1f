// Intersection curves by CGAL's PMP::surface_intersection, EPICK: `curves_race SCENE FRAME[,FRAME...] PASSES
// SECONDS`. Prints a line per frame: frame, microseconds of processor time (median of the passes after an
// untimed one), lines, closed ones, their segments; or `failed` and the reason. After SECONDS seconds no
// query begins; frames that were not reached have no line. Meshes are placed, rounded, outside the clock;
// equal corners become one, and orient_polygon_soup turns meshes that are not surfaces into surfaces, once
// for all frames.
#include "solids.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/intersection.h>
#include <CGAL/Polygon_mesh_processing/orient_polygon_soup.h>
#include <CGAL/Polygon_mesh_processing/polygon_soup_to_polygon_mesh.h>
#include <CGAL/Surface_mesh.h>

using namespace bench;
using namespace bench::solids;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Place = Kernel::Point_3;
using Surface = CGAL::Surface_mesh<Place>;
namespace PMP = CGAL::Polygon_mesh_processing;

/// A mesh of the scene, and its placed version.
struct Side {
  std::vector<Point> points;
  Surface surface;
  size_t left_out = 0, added = 0;

  explicit Side(const Mesh& mesh) {
    const Mesh one = merged(mesh);
    std::vector<Place> places;
    std::vector<std::vector<size_t>> faces;
    for (const Point& p : one.points) places.emplace_back(p[0], p[1], p[2]);
    for (const auto& t : one.triangles) {
      if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) left_out++;
      else faces.push_back({t[0], t[1], t[2]});
    }
    PMP::orient_polygon_soup(places, faces);
    added = places.size() - one.points.size();
    PMP::polygon_soup_to_polygon_mesh(places, faces, surface);
    for (const auto v : surface.vertices()) {
      const Place& p = surface.point(v);
      points.push_back({p.x(), p.y(), p.z()});
    }
  }
  void place(const Pose& pose) {
    for (const auto v : surface.vertices()) {
      const Point p = pose.place(points[v]);
      surface.point(v) = Place(p[0], p[1], p[2]);
    }
  }
};

struct Traced {
  std::vector<double> us;
  size_t lines = 0, closed = 0, segments = 0;
  std::string failed;
};

void ask(Side& a, Side& b, Traced& found, bool timed) {
  std::vector<std::vector<Place>> lines;
  const double start = spent();
  try {
    PMP::surface_intersection(a.surface, b.surface, std::back_inserter(lines));
  } catch (const std::exception& why) {
    found.failed = one_line(why.what());
    return;
  }
  const double us = spent() - start;
  if (timed || found.us.empty()) found.us.push_back(us);
  found.lines = lines.size();
  found.closed = found.segments = 0;
  for (const auto& line : lines) {
    found.closed += line.size() > 1 && line.front() == line.back();
    found.segments += line.size() - 1;
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

int main(int count, char** words) {
  if (count != 5) fail("usage: curves_race SCENE FRAME[,FRAME...] PASSES SECONDS");
  const Scene scene = read_scene(words[1]);
  std::vector<size_t> frames;
  std::istringstream in(words[2]);
  for (std::string one; std::getline(in, one, ',');) {
    frames.push_back(number(one, "FRAME"));
    if (frames.back() >= scene.frames.size()) fail("there is no frame " + one);
  }
  const unsigned long passes = number(words[3], "PASSES");
  const double limit = real(words[4], "SECONDS") * 1e6;
  Side a(scene.a), b(scene.b);
  std::vector<Traced> found(frames.size());
  const double begin = spent();
  for (unsigned long pass = 0; pass <= passes; pass++)
    for (size_t k = 0; k < frames.size(); k++) {
      // The first pass is untimed, unless there is no time for another.
      if (spent() - begin > limit || !found[k].failed.empty()) continue;
      a.place(scene.frames[frames[k]][0]), b.place(scene.frames[frames[k]][1]);
      if (pass == 1) found[k].us.clear();
      ask(a, b, found[k], pass > 0);
    }
  print_head("CGAL surface_intersection");
  std::printf("#notes\tEPICK; points rounded when placed; without %zu degenerate triangles, %zu points doubled\n",
              a.left_out + b.left_out, a.added + b.added);
  for (size_t k = 0; k < frames.size(); k++) {
    const Traced& one = found[k];
    if (!one.failed.empty()) std::printf("%zu\tfailed\t%s\n", frames[k], one.failed.c_str());
    else if (!one.us.empty())
      std::printf("%zu\t%.2f\t%zu\t%zu\t%zu\n", frames[k], median(one.us), one.lines, one.closed, one.segments);
  }
}
