// Test of two closed triangles in plain f64, without error bounds, for libraries that offer a hierarchy but
// no such test. The Rust version is ../parry/src/triangle.rs. Degenerate triangles are segments or points.
//
// Only signs of tetrahedra are used (Devillers and Guigue 2002): if both planes cut, each triangle is rotated
// until one vertex is alone on its side, and that side is positive; then two signs decide whether the
// intervals on the common line meet.
#pragma once
#include <algorithm>
#include <cmath>

#include <array>
#include <utility>

namespace bench {

using Corner = std::array<double, 3>;
using Triangle = std::array<Corner, 3>;

inline Corner minus(const Corner& a, const Corner& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline double dot(const Corner& a, const Corner& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Corner cross(const Corner& a, const Corner& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// Six times the volume of a tetrahedron: positive if `d` is on the side that sees a, b, c turn left.
inline double volume(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
  return dot(minus(d, a), cross(minus(b, a), minus(c, a)));
}

/// Rotates `t` until its first corner is alone on its side of the other's plane, and the other so that this
/// side is positive. `of_other` contains the sides of the other's corners, and is permuted with them.
inline void turn(Triangle& t, const std::array<double, 3>& side, Triangle& other, std::array<double, 3>& of_other) {
  int positive = 0, negative = 0;
  for (double s : side) positive += s > 0, negative += s < 0;
  int alone = 0;
  bool above = true;
  if (positive == 1) {
    while (!(side[alone] > 0)) alone++;
  } else if (negative == 1) {
    while (!(side[alone] < 0)) alone++;
    above = false;
  } else {  // two on one side, the third in the plane
    while (side[alone] != 0) alone++;
    above = negative == 2;
  }
  t = {t[alone], t[(alone + 1) % 3], t[(alone + 2) % 3]};
  if (!above) std::swap(other[1], other[2]), std::swap(of_other[1], of_other[2]);
}

/// Coplanar triangles are disjoint if and only if the line of an edge of one separates them.
inline bool meet_in_plane(const Triangle& p, const Triangle& q, const Corner& normal) {
  int drop = 0;
  for (int k = 1; k < 3; k++)
    if (std::fabs(normal[k]) > std::fabs(normal[drop])) drop = k;
  const int x = (drop + 1) % 3, y = (drop + 2) % 3;
  auto side = [&](const Corner& a, const Corner& b, const Corner& c) {
    return (b[x] - a[x]) * (c[y] - a[y]) - (b[y] - a[y]) * (c[x] - a[x]);
  };
  for (int which = 0; which < 2; which++) {
    const Triangle &t = which ? q : p, &other = which ? p : q;
    for (int i = 0; i < 3; i++) {
      const Corner &a = t[i], &b = t[(i + 1) % 3];
      const double own = side(a, b, t[(i + 2) % 3]);
      bool below = own >= 0, above = own <= 0;
      for (const Corner& c : other) {
        const double s = side(a, b, c);
        below &= s < 0, above &= s > 0;
      }
      if (below || above) return false;
    }
  }
  return true;
}

inline Corner longest_edge(const Triangle& t) {
  Corner best = minus(t[1], t[0]);
  for (const Corner& e : {minus(t[2], t[1]), minus(t[0], t[2])})
    if (dot(e, e) > dot(best, best)) best = e;
  return best;
}

/// A segment or point that reaches both sides of the plane of the proper triangle `t`, or touches it.
inline bool segment_meets(const Triangle& t, const Triangle& segment, const std::array<double, 3>& of_segment) {
  int low = 0, high = 0;
  for (int i = 1; i < 3; i++) {
    if (of_segment[i] < of_segment[low]) low = i;
    if (of_segment[i] > of_segment[high]) high = i;
  }
  int positive = 0, negative = 0;
  for (int i = 0; i < 3; i++) {
    const double v = volume(segment[low], segment[high], t[i], t[(i + 1) % 3]);
    positive += v > 0, negative += v < 0;
  }
  return positive == 0 || negative == 0;
}

/// Two segments or points.
inline bool segments_meet(const Triangle& p, const Triangle& q) {
  const Corner along_p = longest_edge(p), along_q = longest_edge(q), between = minus(q[0], p[0]);
  const Corner normal = cross(along_p, along_q);
  if (dot(normal, normal) > 0) return dot(normal, between) == 0 && meet_in_plane(p, q, normal);
  const Corner along = dot(along_p, along_p) > dot(along_q, along_q) ? along_p : along_q;
  if (dot(cross(along, between), cross(along, between)) > 0) return false;
  for (int k = 0; k < 3; k++) {
    const auto [p0, p1] = std::minmax({p[0][k], p[1][k], p[2][k]});
    const auto [q0, q1] = std::minmax({q[0][k], q[1][k], q[2][k]});
    if (p1 < q0 || q1 < p0) return false;
  }
  return true;
}

inline bool meet(Triangle p, Triangle q) {
  const Corner normal = cross(minus(q[1], q[0]), minus(q[2], q[0]));
  std::array<double, 3> of_p, of_q;
  for (int i = 0; i < 3; i++) of_p[i] = dot(normal, minus(p[i], q[0]));
  if ((of_p[0] > 0 && of_p[1] > 0 && of_p[2] > 0) || (of_p[0] < 0 && of_p[1] < 0 && of_p[2] < 0)) return false;
  const Corner other = cross(minus(p[1], p[0]), minus(p[2], p[0]));
  for (int i = 0; i < 3; i++) of_q[i] = dot(other, minus(q[i], p[0]));
  if ((of_q[0] > 0 && of_q[1] > 0 && of_q[2] > 0) || (of_q[0] < 0 && of_q[1] < 0 && of_q[2] < 0)) return false;
  auto flat = [](const std::array<double, 3>& s) { return s[0] == 0 && s[1] == 0 && s[2] == 0; };
  const bool segment_p = dot(other, other) == 0, segment_q = dot(normal, normal) == 0;
  if (segment_p && segment_q) return segments_meet(p, q);
  if (segment_q && !flat(of_q)) return segment_meets(p, q, of_q);
  if (segment_p && !flat(of_p)) return segment_meets(q, p, of_p);
  if (flat(of_p) || flat(of_q)) return meet_in_plane(p, q, dot(normal, normal) > dot(other, other) ? normal : other);
  turn(p, of_p, q, of_q);
  turn(q, of_q, p, of_p);
  return volume(p[0], p[1], q[0], q[1]) <= 0 && volume(p[0], p[2], q[2], q[0]) <= 0;
}

}  // namespace bench
