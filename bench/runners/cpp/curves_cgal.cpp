// Intersection curves of closed surfaces by CGAL's PMP::surface_intersection: `curves_cgal FOLDER COUNT`, for
// the pairs N_a.off and N_b.off that impinge's example `curves` writes. Prints a line per pair: N, polylines,
// closed ones, their points, microseconds with inexact and with exact constructions; least of three.
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/intersection.h>
#include <CGAL/Surface_mesh.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

template <class Kernel>
struct Run {
  using Point = typename Kernel::Point_3;
  using Mesh = CGAL::Surface_mesh<Point>;
  std::size_t lines = 0, closed = 0, points = 0;
  double microseconds = 1e300;

  static Mesh read(const std::string& path) {
    std::ifstream file(path);
    Mesh mesh;
    if (!(file >> mesh)) throw std::runtime_error(path + ": cannot be read");
    return mesh;
  }
  Run(const std::string& a, const std::string& b) {
    Mesh first = read(a), second = read(b);
    for (int round = 0; round < 3; ++round) {
      std::vector<std::vector<Point>> found;
      auto start = std::chrono::steady_clock::now();
      CGAL::Polygon_mesh_processing::surface_intersection(first, second, std::back_inserter(found));
      std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
      if (time.count() < microseconds) microseconds = time.count();
      lines = found.size();
      closed = points = 0;
      for (const auto& line : found) {
        bool loop = line.size() > 1 && line.front() == line.back();
        closed += loop;
        points += line.size() - loop;
      }
    }
  }
};

int main(int count, char** words) {
  if (count != 3) return std::fprintf(stderr, "curves_cgal FOLDER COUNT\n"), 2;
  std::string folder = words[1];
  for (int n = 0; n < std::atoi(words[2]); ++n) {
    std::string name = folder + "/" + std::to_string(n);
    Run<CGAL::Exact_predicates_inexact_constructions_kernel> inexact(name + "_a.off", name + "_b.off");
    Run<CGAL::Exact_predicates_exact_constructions_kernel> exact(name + "_a.off", name + "_b.off");
    std::printf("%d %zu %zu %zu %.1f %.1f\n", n, exact.lines, exact.closed, exact.points,
                inexact.microseconds, exact.microseconds);
  }
}
