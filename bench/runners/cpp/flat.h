// Closed triangles in exact numbers; degenerate ones are segments and points.
#pragma once
#include "solids_exact.h"

#include <cstring>
#include <iterator>

namespace bench::solids {

using Segment = Kernel::Segment_3;
using Triangle = Kernel::Triangle_3;

/// A closed triangle, by its corners; a segment has two, a point one.
struct Flat {
  std::vector<Exact> corners;
  CGAL::Bbox_3 box;
};

inline Flat flat(const Exact& a, const Exact& b, const Exact& c) {
  Flat out{{}, a.bbox() + b.bbox() + c.bbox()};
  if (!CGAL::collinear(a, b, c)) out.corners = {a, b, c};
  else if (a == b && b == c) out.corners = {a};
  else {
    // For points on a line the order by coordinates is the order on the line.
    std::array<Exact, 3> sorted{a, b, c};
    std::sort(sorted.begin(), sorted.end());
    out.corners = {sorted[0], sorted[2]};
  }
  return out;
}

/// Sides: three for a triangle, one for a segment.
inline std::vector<Segment> sides(const Flat& t) {
  const auto& c = t.corners;
  if (c.size() == 3) return {{c[0], c[1]}, {c[1], c[2]}, {c[2], c[0]}};
  if (c.size() == 2) return {{c[0], c[1]}};
  return {};
}

inline std::vector<Flat> flats(const Solid& body) {
  const Place place(body.pose);
  std::vector<Exact> points;
  for (const Point& p : body.mesh.points) points.push_back(place(p));
  std::vector<Flat> out;
  for (const auto& t : body.mesh.triangles) out.push_back(flat(points[t[0]], points[t[1]], points[t[2]]));
  return out;
}

inline double of_bits(const std::string& text) {
  const uint64_t bits = std::stoull(text, nullptr, 16);
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace bench::solids
