// FCL in the race of motions: continuousCollide by conservative advancement, of BVHModel<OBBRSS> or Convex.
// `RUNNER FILE PASSES`: see ../../contract/src/motion.rs.
#include "points.h"

#include <fcl/fcl.h>

#include <cmath>
#include <memory>

using Motion = fcl::InterpMotion<double>;

std::unique_ptr<fcl::CollisionGeometryd> shape(const bench::Mesh& mesh, bool convex) {
  auto points = std::make_shared<std::vector<fcl::Vector3d>>();
  for (const auto& p : mesh.points) points->emplace_back(p[0], p[1], p[2]);
  if (convex) {
    auto faces = std::make_shared<std::vector<int>>();
    for (const auto& t : mesh.triangles) faces->insert(faces->end(), {3, int(t[0]), int(t[1]), int(t[2])});
    return std::make_unique<fcl::Convexd>(points, int(mesh.triangles.size()), faces);
  }
  std::vector<fcl::Triangle> triangles;
  for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_unique<fcl::BVHModel<fcl::OBBRSSd>>();
  model->beginModel(int(triangles.size()), int(points->size()));
  const int added = model->addSubModel(*points, triangles);
  const int ended = model->endModel();
  if (added != fcl::BVH_OK || ended != fcl::BVH_OK)
    bench::fail("FCL refuses the mesh: code " + std::to_string(std::min(added, ended)));
  return model;
}

/// A part of the motion: the angle of an InterpMotion is less than pi.
struct Piece {
  fcl::Transform3d from, to;
};

std::vector<Piece, Eigen::aligned_allocator<Piece>> pieces(const bench::Pose& start, const fcl::Vector3d& way,
                                                           const fcl::Vector3d& turn) {
  fcl::Transform3d first = fcl::Transform3d::Identity();
  for (int i = 0; i < 9; i++) first.linear()(i / 3, i % 3) = start.r[i];
  for (int i = 0; i < 3; i++) first.translation()[i] = start.t[i];
  const auto at = [&](double t) {
    fcl::Transform3d pose = first;
    if (turn.norm() > 0)
      pose.linear() = Eigen::AngleAxisd(t * turn.norm(), turn.normalized()).toRotationMatrix() * first.linear();
    pose.translation() = first.translation() + t * way;
    return pose;
  };
  // An odd number: none begins in the middle, where the plate's scene is in contact.
  const int least = std::max(1, int(std::ceil(turn.norm() / 3.0 - 1e-9))), count = least | 1;
  std::vector<Piece, Eigen::aligned_allocator<Piece>> made;
  for (int k = 0; k < count; k++) made.push_back({at(double(k) / count), at(double(k + 1) / count)});
  return made;
}

int main(int argc, char** argv) {
  if (argc != 3) bench::fail("usage: RUNNER FILE PASSES");
  bench::Reader in(argv[1]);
  for (char c : {'I', 'M', 'P', 'M', 'O', 'T', 'I', 'O'})
    if (in.take<char>("the magic number") != c) in.bad("not a file of a motion");
  if (in.take<uint32_t>("the version") != 1) in.bad("not version 1");
  for (uint32_t left = in.take<uint32_t>("the length of the name"); left > 0; left--) in.take<char>("the name");
  const bool convex = in.take<uint32_t>("whether it is convex") != 0;
  const bench::Mesh resting = bench::read_mesh(in), moving = bench::read_mesh(in);
  const auto start = in.take<bench::Pose>("the pose");
  const auto way = in.take<bench::Point>("the way"), turn = in.take<bench::Point>("the turn");
  const size_t passes = std::max(1ul, bench::number(argv[2], "PASSES"));
  const auto a = shape(resting, convex), b = shape(moving, convex);
  const auto path = pieces(start, {way[0], way[1], way[2]}, {turn[0], turn[1], turn[2]});
  const auto still = fcl::Transform3d::Identity();
  // Iterations are no limit of conservative advancement; the error of the time is the default.
  fcl::ContinuousCollisionRequest<double> request;
  request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
  request.ccd_motion_type = fcl::CCDM_LINEAR;

  bool contact = false;
  double time = NAN;
  std::vector<double> spans;
  const double begin = bench::points::spent();
  while (spans.size() <= passes && bench::points::spent() - begin < 2e9) {
    const double from = bench::points::spent();
    contact = false;
    for (size_t k = 0; k < path.size() && !contact; k++) {
      // With the point given: the constructor of two poses alone leaves it as it is in memory.
      const fcl::Vector3d origin = fcl::Vector3d::Zero();
      const Motion rest(still.linear(), still.translation(), still.linear(), still.translation(), origin);
      const Motion motion(path[k].from.linear(), path[k].from.translation(), path[k].to.linear(),
                          path[k].to.translation(), origin);
      fcl::ContinuousCollisionResult<double> result;
      fcl::continuousCollide(a.get(), &rest, b.get(), &motion, request, result);
      contact = result.is_collide;
      time = (double(k) + result.time_of_contact) / double(path.size());
    }
    spans.push_back((bench::points::spent() - from) / 1e3);
  }
  if (spans.size() > passes) spans.erase(spans.begin());
  std::sort(spans.begin(), spans.end());
  std::printf("#engine\tFCL\n#version\t%s\n", FCL_VERSION);
  std::printf("#notes\tf64; continuousCollide by conservative advancement, InterpMotion, of BVHModel<OBBRSS> or "
              "Convex; the default error of the time, 1e-4; a turn of 30 in several motions\n");
  if (!contact) time = NAN;
  std::printf("%s\t%.17g\t%.17g\t%.3f\n", contact ? "contact" : "clear", time, time, spans[spans.size() / 2]);
  return std::fflush(stdout) != 0;
}
