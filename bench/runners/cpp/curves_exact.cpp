// Intersection curves of small meshes, in exact numbers: `curves_exact PAIRS ANSWERS`, for the files of
// solids/src/bin/curves-pairs.rs. It follows the definition at the head of impinge's curves.rs to the letter:
// the intersection of every pair of triangles, poses applied exactly, then its nodes, segments, lines,
// patches and points, which are all compared. Prints a line per pair: pair, nodes, lines, closed lines,
// patches, points, 1 if a mesh meets itself there, and `agrees` or the difference.
#include "flat.h"

#include <CGAL/intersections.h>

#include <map>
#include <set>

using namespace bench;
using namespace bench::solids;
using Ends = std::array<int, 2>;
using Interval = std::array<double, 2>;

/// Numbers without the operations that produced them.
Exact plain(const Exact& p) {
  return Exact(FT(CGAL::exact(p.x())), FT(CGAL::exact(p.y())), FT(CGAL::exact(p.z())));
}

bool holds(const Flat& t, const Exact& p) {
  const auto& c = t.corners;
  if (c.size() == 3) return Triangle(c[0], c[1], c[2]).has_on(p);
  if (c.size() == 2) return Segment(c[0], c[1]).has_on(p);
  return c[0] == p;
}

template <class Other>
void meet(std::vector<Exact>& found, const Segment& side, const Other& other) {
  const auto result = CGAL::intersection(side, other);
  if (!result) return;
  if (const Exact* p = boost::get<Exact>(&*result)) found.push_back(plain(*p));
  else if (const Segment* s = boost::get<Segment>(&*result)) {
    found.push_back(plain(s->source()));
    found.push_back(plain(s->target()));
  }
}

/// Points whose convex hull is the intersection of both, sorted by coordinates.
std::vector<Exact> common(const Flat& s, const Flat& t) {
  std::vector<Exact> found;
  for (const Exact& p : s.corners)
    if (holds(t, p)) found.push_back(p);
  for (const Exact& p : t.corners)
    if (holds(s, p)) found.push_back(p);
  for (int turn = 0; turn < 2; turn++) {
    const Flat &from = turn ? t : s, &to = turn ? s : t;
    for (const Segment& side : sides(from)) {
      if (to.corners.size() == 3) meet(found, side, Triangle(to.corners[0], to.corners[1], to.corners[2]));
      if (to.corners.size() == 2) meet(found, side, Segment(to.corners[0], to.corners[1]));
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Twice the area of a plane triangle, projected along an axis.
FT seen(const Exact& a, const Exact& b, const Exact& c, int axis) {
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  return (b[x] - a[x]) * (c[y] - a[y]) - (b[y] - a[y]) * (c[x] - a[x]);
}

/// The corners of the hull of coplanar points, in order, without those inside sides.
std::vector<Exact> hull(const std::vector<Exact>& points) {
  int axis = 0;
  for (int k = 0; k < 3; k++)
    for (const Exact& p : points)
      if (seen(points.front(), points.back(), p, k) != 0) axis = k;
  // Andrew's chains need an order in which points with equal projections are adjacent.
  std::vector<Exact> sorted = points;
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  std::sort(sorted.begin(), sorted.end(),
            [&](const Exact& a, const Exact& b) { return a[x] != b[x] ? a[x] < b[x] : a[y] < b[y]; });
  std::vector<Exact> out;
  for (int turn = 0; turn < 2; turn++) {
    const size_t from = out.size();
    for (const Exact& p : sorted) {
      while (out.size() >= from + 2 && seen(out[out.size() - 2], out.back(), p, axis) <= 0) out.pop_back();
      out.push_back(p);
    }
    out.pop_back();
    std::reverse(sorted.begin(), sorted.end());
  }
  return out;
}

struct Polygon {
  std::vector<int> nodes;
  std::set<Ends> sides;
  std::set<std::string> pairs;
  int patch;
};

/// The exact result, by the definition. Nodes are sorted by coordinates.
struct Truth {
  std::vector<Exact> nodes;
  /// True if a segment runs along an edge.
  std::map<Ends, bool> segments;
  std::vector<Polygon> polygons;
  std::vector<int> points;
};

Ends ends(int i, int j) { return {std::min(i, j), std::max(i, j)}; }

/// A segment cut at nodes: the order of coordinates also holds for nodes inside it.
std::vector<Ends> cut(const std::vector<Exact>& nodes, int i, int j) {
  const Ends whole = ends(i, j);
  std::vector<Ends> out;
  int last = whole[0];
  for (int k = whole[0] + 1; k <= whole[1]; k++)
    if (k == whole[1] || CGAL::collinear(nodes[whole[0]], nodes[k], nodes[whole[1]])) {
      out.push_back({last, k});
      last = k;
    }
  return out;
}

bool in_polygon(const std::vector<Exact>& nodes, const Polygon& polygon, int node) {
  const auto& c = polygon.nodes;
  for (size_t k = 1; k + 1 < c.size(); k++)
    if (Triangle(nodes[c[0]], nodes[c[k]], nodes[c[k + 1]]).has_on(nodes[node])) return true;
  return false;
}

bool along_side(const Flat& t, const Exact& p, const Exact& q) {
  for (const Segment& side : sides(t))
    if (side.has_on(p) && side.has_on(q)) return true;
  return false;
}

/// The intersection of a pair of triangles: a point, a segment, or a polygon's corners in order.
struct Shared {
  std::vector<Exact> corners;
  size_t i, j;
};

std::vector<Segment> boundary(const Shared& one) {
  const auto& c = one.corners;
  std::vector<Segment> out;
  for (size_t k = 0; k < (c.size() > 2 ? c.size() : c.size() - 1); k++) out.emplace_back(c[k], c[(k + 1) % c.size()]);
  return out;
}

/// The points where segments and sides of polygons cross sides of polygons of their plane.
std::vector<Exact> crossings(const std::vector<Shared>& shared) {
  std::vector<Exact> found;
  for (const Shared& polygon : shared) {
    const auto& c = polygon.corners;
    if (c.size() < 3) continue;
    for (const Shared& other : shared) {
      bool plane = &other != &polygon;
      for (const Exact& p : other.corners) plane = plane && CGAL::coplanar(c[0], c[1], c[2], p);
      if (!plane) continue;
      for (const Segment& side : boundary(polygon))
        for (const Segment& one : boundary(other)) {
          const auto result = CGAL::intersection(side, one);
          const Exact* p = result ? boost::get<Exact>(&*result) : nullptr;
          if (p) found.push_back(plain(*p));
        }
    }
  }
  return found;
}

Truth truth(const std::vector<Flat>& a, const std::vector<Flat>& b) {
  std::vector<Shared> shared;
  std::map<Exact, int> number;
  for (size_t i = 0; i < a.size(); i++)
    for (size_t j = 0; j < b.size(); j++) {
      if (!CGAL::do_overlap(a[i].box, b[j].box)) continue;
      std::vector<Exact> found = common(a[i], b[j]);
      if (found.empty()) continue;
      bool line = true;
      for (const Exact& p : found) line = line && CGAL::collinear(found.front(), p, found.back());
      // For points on a line the order by coordinates is the order on the line.
      if (!line) found = hull(found);
      else if (found.size() > 2) found = {found.front(), found.back()};
      for (const Exact& p : found) number[p] = 0;
      shared.push_back({found, i, j});
    }
  for (const Exact& p : crossings(shared)) number[p] = 0;
  Truth out;
  for (auto& [p, n] : number) {
    n = int(out.nodes.size());
    out.nodes.push_back(p);
  }
  std::map<std::vector<int>, size_t> known;
  for (const Shared& one : shared) {
    std::vector<int> n;
    for (const Exact& p : one.corners) n.push_back(number[p]);
    if (n.size() == 2)
      for (const Ends& e : cut(out.nodes, n[0], n[1])) {
        const Exact &p = out.nodes[e[0]], &q = out.nodes[e[1]];
        out.segments[e] |= along_side(a[one.i], p, q) || along_side(b[one.j], p, q);
      }
    if (n.size() < 3) continue;
    std::vector<int> sorted = n;
    std::sort(sorted.begin(), sorted.end());
    const auto [at, added] = known.try_emplace(sorted, out.polygons.size());
    if (added) {
      Polygon made{n, {}, {}, int(at->second)};
      for (size_t k = 0; k < n.size(); k++)
        for (const Ends& e : cut(out.nodes, n[k], n[(k + 1) % n.size()])) made.sides.insert(e);
      out.polygons.push_back(made);
    }
    out.polygons[at->second].pairs.insert(std::to_string(one.i) + ":" + std::to_string(one.j));
  }
  std::vector<bool> alone(out.nodes.size(), true);
  for (auto it = out.segments.begin(); it != out.segments.end();) {
    alone[it->first[0]] = alone[it->first[1]] = false;
    bool covered = false;
    for (const Polygon& polygon : out.polygons)
      covered = covered || (in_polygon(out.nodes, polygon, it->first[0]) && in_polygon(out.nodes, polygon, it->first[1]));
    it = covered ? out.segments.erase(it) : std::next(it);
  }
  for (int n = 0; n < int(alone.size()); n++) {
    for (const Polygon& polygon : out.polygons) alone[n] = alone[n] && !in_polygon(out.nodes, polygon, n);
    if (alone[n]) out.points.push_back(n);
  }
  // Patches: coplanar polygons with a common side. They are so few that all are compared.
  for (bool changed = true; changed;) {
    changed = false;
    for (Polygon& p : out.polygons)
      for (Polygon& q : out.polygons) {
        if (p.patch <= q.patch) continue;
        const auto& [c, d] = std::tie(p.nodes, q.nodes);
        bool plane = true, side = false;
        for (int n : d) plane = plane && CGAL::coplanar(out.nodes[c[0]], out.nodes[c[1]], out.nodes[c[2]], out.nodes[n]);
        for (const Ends& e : q.sides) side = side || p.sides.count(e);
        if (plane && side) changed = (p.patch = q.patch, true);
      }
  }
  return out;
}

Interval root(const FT& square) {
  const auto [lo, hi] = CGAL::to_interval(FT(CGAL::exact(square)));
  return {std::max(0.0, std::nextafter(std::sqrt(std::max(0.0, lo)), -INFINITY)), std::nextafter(std::sqrt(hi), INFINITY)};
}

void add(Interval& sum, const Interval& x, double by = 1) {
  sum = {std::nextafter(sum[0] + by * x[0], -INFINITY), std::nextafter(sum[1] + by * x[1], INFINITY)};
}

bool overlap(const Interval& a, const Interval& b) { return a[0] <= b[1] && b[0] <= a[1]; }

Interval area(const std::vector<Exact>& nodes, const Polygon& polygon) {
  const auto& c = polygon.nodes;
  Kernel::Vector_3 sum(0, 0, 0);
  for (size_t k = 1; k + 1 < c.size(); k++)
    sum = sum + CGAL::cross_product(nodes[c[k]] - nodes[c[0]], nodes[c[k + 1]] - nodes[c[0]]);
  const Interval twice = root(sum.squared_length());
  return {twice[0] / 2, twice[1] / 2};
}

/// The nearest double; in a tie, the even one.
double nearest(const FT& x) {
  const FT twice = FT(2) * FT(CGAL::exact(x));
  double at = CGAL::to_double(x);
  for (int way : {1, -1})
    for (double next; std::isfinite(next = std::nextafter(at, way * INFINITY)); at = next) {
      const auto side = CGAL::compare(twice, FT(at) + FT(next));
      uint64_t bits;
      std::memcpy(&bits, &at, sizeof at);
      if (side != (way > 0 ? CGAL::LARGER : CGAL::SMALLER) && !(side == CGAL::EQUAL && (bits & 1))) break;
    }
  return at + 0.0;
}

/// Nodes in the order of the answers: by their nearest doubles, then by exact coordinates.
struct Order {
  std::vector<Point> at;
  std::vector<int> nodes;
  explicit Order(const std::vector<Exact>& all) {
    for (const Exact& p : all) {
      nodes.push_back(int(at.size()));
      at.push_back({nearest(p.x()), nearest(p.y()), nearest(p.z())});
    }
    std::stable_sort(nodes.begin(), nodes.end(), [&](int i, int j) { return at[i] < at[j]; });
  }
};

/// The answer for a pair: lines of words.
using Told = std::vector<std::vector<std::string>>;

Interval interval(const std::vector<std::string>& words, size_t at) { return {of_bits(words[at]), of_bits(words[at + 1])}; }

/// Maps the answer's node numbers to the oracle's.
Told renumbered(Told told, const std::vector<int>& nodes) {
  for (auto& words : told) {
    const size_t from = words[0] == "line" ? 5 : words[0] == "border" ? 2 : words[0] == "point" ? 1 : words.size();
    for (size_t k = from; k < words.size(); k++) words[k] = std::to_string(nodes.at(std::stoul(words[k])));
  }
  return told;
}

/// The segments of a chain of nodes.
std::vector<Ends> chain(const std::vector<std::string>& words, size_t from, bool closed) {
  std::vector<Ends> out;
  for (size_t k = from; k + 1 < words.size(); k++) out.push_back(ends(std::stoi(words[k]), std::stoi(words[k + 1])));
  if (closed) out.push_back(ends(std::stoi(words.back()), std::stoi(words[from])));
  return out;
}

Interval length(const std::vector<Exact>& nodes, const std::vector<Ends>& segments) {
  Interval sum{0, 0};
  for (const Ends& e : segments) add(sum, root(CGAL::squared_distance(nodes[e[0]], nodes[e[1]])));
  return sum;
}

/// Checks that chains are the maximal ones of the segments: each segment is in one; two meet at inner nodes,
/// any other number at ends.
std::string wrong_chains(const std::vector<std::vector<Ends>>& chains, const std::vector<bool>& closed, std::set<Ends> all) {
  std::map<int, int> degree;
  for (const Ends& e : all)
    for (int n : e) degree[n]++;
  for (size_t k = 0; k < chains.size(); k++) {
    std::map<int, int> times;
    for (const Ends& e : chains[k]) {
      if (!all.erase(e)) return "a segment does not exist, or occurs twice";
      for (int n : e) times[n]++;
    }
    int loose = 0, branching = 0;
    for (const auto& [n, count] : times) {
      loose += count == 1;
      branching += degree[n] != 2;
      if (count == 1 && degree[n] == 2) return "a line ends where it goes on";
    }
    if (closed[k] ? loose != 0 || branching > 1 : loose != 2 || branching != 2) return "a line runs on where it ends";
  }
  return all.empty() ? "" : "a segment is missing";
}

/// Patches, their borders and areas.
std::string wrong_patches(const Truth& is, const Told& told, const Interval& total) {
  struct Patch {
    std::set<std::string> pairs;
    std::map<Ends, int> sides;
    Interval area{0, 0};
  };
  std::map<int, Patch> by_number;
  Interval all{0, 0};
  for (const Polygon& polygon : is.polygons) {
    Patch& patch = by_number[polygon.patch];
    patch.pairs.insert(polygon.pairs.begin(), polygon.pairs.end());
    for (const Ends& e : polygon.sides) patch.sides[e]++;
    add(patch.area, area(is.nodes, polygon));
    add(all, area(is.nodes, polygon));
  }
  if (!overlap(all, total)) return "the area of all patches";
  std::map<std::set<std::string>, Patch> patches;
  for (const auto& [n, patch] : by_number) patches[patch.pairs] = patch;
  for (size_t k = 0; k < told.size(); k++) {
    const auto& words = told[k];
    if (words[0] != "patch") continue;
    const auto found = patches.find(std::set<std::string>(words.begin() + 3, words.end()));
    if (found == patches.end()) return "pairs of a patch";
    if (!overlap(found->second.area, interval(words, 1))) return "the area of a patch";
    std::vector<std::vector<Ends>> borders;
    std::vector<bool> closed;
    for (size_t m = k + 1; m < told.size() && told[m][0] == "border"; m++) {
      closed.push_back(told[m][1] == "1");
      borders.push_back(chain(told[m], 2, closed.back()));
    }
    std::set<Ends> outer;
    for (const auto& [e, count] : found->second.sides)
      if (count == 1) outer.insert(e);
    const std::string why = wrong_chains(borders, closed, outer);
    if (!why.empty()) return "a border: " + why;
    patches.erase(found);
  }
  return patches.empty() ? "" : "a patch is missing";
}

std::string wrong(const Truth& is, const Told& by_order) {
  const Order order(is.nodes);
  size_t nodes = 0;
  for (const auto& words : by_order) {
    if (words[0] != "node") continue;
    if (nodes == is.nodes.size()) return "too many nodes";
    for (int k = 0; k < 3; k++)
      if (of_bits(words[1 + k]) != order.at[order.nodes[nodes]][k])
        return "node " + std::to_string(nodes) + " is not the nearest";
    nodes++;
  }
  if (nodes != is.nodes.size()) return "too few nodes";
  const Told told = renumbered(by_order, order.nodes);
  const bool crosses = told[0][2] == "1";
  std::vector<std::vector<Ends>> lines;
  std::vector<bool> closed;
  std::vector<int> points;
  std::set<Ends> all;
  Interval sum{0, 0};
  for (const auto& [e, edge] : is.segments) all.insert(e);
  for (const auto& words : told) {
    if (words[0] == "point") points.push_back(std::stoi(words[1]));
    if (words[0] != "line") continue;
    closed.push_back(words[2] == "1");
    lines.push_back(chain(words, 5, closed.back()));
    size_t edges = 0;
    for (const Ends& e : lines.back()) {
      const auto found = is.segments.find(e);
      if (found == is.segments.end()) return "a segment does not exist";
      edges += found->second;
    }
    const std::string kind = edges == 0 ? "crossing" : edges == lines.back().size() ? "edge" : "mixed";
    if (!crosses && kind != words[1]) return "a line is of kind " + words[1] + ", not " + kind;
    const Interval true_length = length(is.nodes, lines.back());
    if (!overlap(true_length, interval(words, 3))) return "the length of a line";
    add(sum, true_length);
  }
  const std::string why = wrong_chains(lines, closed, all);
  if (!why.empty()) return why;
  if (!overlap(sum, interval(told[1], 1))) return "the length of all lines";
  std::sort(points.begin(), points.end());
  if (points != is.points) return "points";
  return crosses ? "" : wrong_patches(is, told, interval(told[1], 3));
}

int main(int argc, char** argv) {
  if (argc != 3) fail("usage: curves_exact PAIRS ANSWERS");
  const auto pairs = read_pairs(argv[1]);
  std::ifstream answers(argv[2]);
  if (!answers) fail(std::string(argv[2]) + ": cannot be read");
  CGAL::set_error_behaviour(CGAL::THROW_EXCEPTION);
  print_head("CGAL intersection, EPECK, all pairs");
  std::vector<Told> told;
  for (std::string line; std::getline(answers, line);) {
    std::istringstream in(line);
    std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
    if (words.empty() || (words[0] != "pair" && told.empty())) fail(std::string(argv[2]) + ": " + line);
    if (words[0] == "pair") told.emplace_back();
    told.back().push_back(words);
  }
  if (told.size() != pairs.size()) fail(std::string(argv[2]) + ": not as many pairs as " + argv[1]);
  for (size_t i = 0; i < pairs.size(); i++) {
    std::string found = "agrees";
    std::map<std::string, size_t> counts;
    for (const auto& words : told[i]) counts[words[0]]++, counts["closed"] += words[0] == "line" && words[2] == "1";
    try {
      const std::string why = wrong(truth(flats(pairs[i].bodies[0]), flats(pairs[i].bodies[1])), told[i]);
      if (!why.empty()) found = why;
    } catch (const std::exception& why) {
      found = "failed: " + one_line(why.what());
    }
    std::printf("%zu\t%s\t%zu\t%zu\t%zu\t%zu\t%zu\t%s\t%s\n", i, pairs[i].name.c_str(), counts["node"], counts["line"],
                counts["closed"], counts["patch"], counts["point"], told[i][0][2].c_str(), found.c_str());
  }
}
