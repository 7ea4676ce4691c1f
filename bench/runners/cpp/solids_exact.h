// Solids in exact numbers, poses applied in them.
#pragma once
#include "solids.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>

namespace bench::solids {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using FT = Kernel::FT;
using Exact = Kernel::Point_3;
using Surface = CGAL::Surface_mesh<Exact>;

/// R v + t, without rounding.
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
      // The evaluated number, so that no tree of operations is kept.
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

/// The mesh at its pose, with the orientation that it had.
inline Surface placed(const Mesh& mesh, const Place& place) {
  return surface<Surface>(merged(mesh), place.mirrors(), place);
}

}  // namespace bench::solids
