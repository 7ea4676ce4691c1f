// Distances of small meshes, in exact numbers: `near_exact PAIRS ANSWERS`, for the files of
// solids/src/bin/near-pairs.rs. Every pair of triangles is compared; poses are applied exactly. Prints a line
// per pair: pair, the squared distance rounded, 1 if it is zero, the number of degenerate triangles, and
// `agrees` or the difference. All decisions use squares.
//
// CGAL 5.5 returns 0 for two triangles that it cannot prove to be disjoint, which degenerate ones may be. So
// a triangle without area is treated as a segment or point, and the distance of two triangles is assembled
// from their parts.
#include "flat.h"

#include <CGAL/intersections.h>
#include <CGAL/squared_distance_3.h>

using namespace bench;
using namespace bench::solids;

FT to_point(const Exact& p, const Flat& t) {
  const auto& c = t.corners;
  if (c.size() == 3) return CGAL::squared_distance(p, Triangle(c[0], c[1], c[2]));
  if (c.size() == 2) return CGAL::squared_distance(p, Segment(c[0], c[1]));
  return CGAL::squared_distance(p, c[0]);
}

/// True if one passes through the inside of the other, which no corner and no pair of sides reveals.
bool pierces(const Flat& s, const Flat& t) {
  if (t.corners.size() != 3) return false;
  const Triangle whole(t.corners[0], t.corners[1], t.corners[2]);
  for (const Segment& side : sides(s))
    if (CGAL::do_intersect(side, whole)) return true;
  return false;
}

FT squared(const Flat& s, const Flat& t) {
  if (pierces(s, t) || pierces(t, s)) return 0;
  FT least = to_point(s.corners[0], t);
  for (const Exact& p : s.corners) least = std::min(least, to_point(p, t));
  for (const Exact& p : t.corners) least = std::min(least, to_point(p, s));
  for (const Segment& e : sides(s))
    for (const Segment& f : sides(t)) least = std::min(least, FT(CGAL::squared_distance(e, f)));
  return least;
}

/// A lower bound, for boxes that contain their triangles.
double box_gap(const CGAL::Bbox_3& a, const CGAL::Bbox_3& b) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    const double gap = std::max({a.min(k) - b.max(k), b.min(k) - a.max(k), 0.0});
    sum += gap * gap;
  }
  // More than the rounding here; an over- or underflow proves nothing.
  return sum > 1e-290 && sum < 1e290 ? sum * (1 - 1e-12) : 0;
}

FT squared(const std::vector<Flat>& a, const std::vector<Flat>& b) {
  FT least = -1;
  double above = 0;
  for (const Flat& s : a)
    for (const Flat& t : b) {
      if (least >= 0 && box_gap(s.box, t.box) > above) continue;
      const FT one = squared(s, t);
      if (least < 0 || one < least) {
        least = FT(CGAL::exact(one));
        above = CGAL::to_interval(least).second;
      }
    }
  return least;
}

/// The difference from the answers, as text; empty if there is none.
std::string wrong(const FT& square, const std::vector<std::string>& words) {
  const auto side = [&](double d) { return CGAL::compare(square, FT(d) * FT(d)); };
  const double lo = of_bits(words[1]), hi = of_bits(words[2]), below = of_bits(words[3]), above = of_bits(words[4]);
  const auto holds = [&](double from, double to) {
    return !(from > to) && side(from) != CGAL::SMALLER && (std::isinf(to) || side(to) != CGAL::LARGER);
  };
  if (!holds(lo, hi)) return "the interval does not contain it";
  if (!holds(below, above)) return "the exact interval does not contain it";
  if (above != below && above != std::nextafter(below, INFINITY)) return "the exact interval is wide";
  if ((hi == 0) != (square == 0) || (above == 0) != (square == 0)) return "0 is wrong";
  for (size_t i = 5; i < words.size(); i++) {
    std::string bits, near, told;
    std::istringstream in(words[i]);
    std::getline(in, bits, ':');
    std::getline(in, near, ':');
    std::getline(in, told);
    const std::string truth = side(of_bits(bits)) != CGAL::LARGER ? "1" : "0";
    if (near != truth) return "within " + bits + " is " + near;
    if (told != truth) return "a distance above " + bits + " is " + told;
  }
  return "agrees";
}

int main(int argc, char** argv) {
  if (argc != 3) fail("usage: near_exact PAIRS ANSWERS");
  const auto pairs = read_pairs(argv[1]);
  std::ifstream answers(argv[2]);
  if (!answers) fail(std::string(argv[2]) + ": cannot be read");
  CGAL::set_error_behaviour(CGAL::THROW_EXCEPTION);
  print_head("CGAL squared_distance, EPECK, all pairs");
  for (size_t i = 0; i < pairs.size(); i++) {
    std::string line;
    if (!std::getline(answers, line)) fail(std::string(argv[2]) + ": ends before pair " + std::to_string(i));
    std::vector<std::string> words;
    std::istringstream in(line);
    for (std::string word; std::getline(in, word, '\t');) words.push_back(word);
    if (words.size() < 6 || words[0] != std::to_string(i))
      fail(std::string(argv[2]) + ": no answer for pair " + std::to_string(i));
    std::string found = "failed";
    FT square = -1;
    size_t degenerate = 0;
    try {
      const auto a = flats(pairs[i].bodies[0]), b = flats(pairs[i].bodies[1]);
      for (const auto* all_of : {&a, &b})
        for (const Flat& t : *all_of) degenerate += t.corners.size() < 3;
      square = squared(a, b);
      found = wrong(square, words);
    } catch (const std::exception& why) {
      found = "failed: " + one_line(why.what());
    }
    std::printf("%zu\t%.17g\t%d\t%zu\t%s\n", i, CGAL::to_double(square), int(square == 0), degenerate, found.c_str());
  }
}
