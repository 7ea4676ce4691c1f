// FCL's Sphere, Capsule, Convex and BVHModel<OBBRSS> in the race of shapes: fcl::collide and fcl::distance.
// Ways: `` libccd from scratch, `warm` FCL's own GJK from the last query's result.
#include "shapes.h"

#include <fcl/fcl.h>

#include <memory>

using bench::shapes::Kind;

std::unique_ptr<fcl::CollisionGeometryd> shape(const bench::shapes::Shape& of) {
  if (of.kind == Kind::sphere) return std::make_unique<fcl::Sphered>(of.radius);
  if (of.kind == Kind::capsule) return std::make_unique<fcl::Capsuled>(of.radius, of.height);
  auto points = std::make_shared<std::vector<fcl::Vector3d>>();
  for (const auto& p : of.mesh.points) points->emplace_back(p[0], p[1], p[2]);
  if (of.kind == Kind::hull) {
    auto faces = std::make_shared<std::vector<int>>();
    for (const auto& t : of.mesh.triangles) faces->insert(faces->end(), {3, int(t[0]), int(t[1]), int(t[2])});
    return std::make_unique<fcl::Convexd>(points, int(of.mesh.triangles.size()), faces);
  }
  std::vector<fcl::Triangle> triangles;
  for (const auto& t : of.mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_unique<fcl::BVHModel<fcl::OBBRSSd>>();
  model->beginModel(int(triangles.size()), int(points->size()));
  const int added = model->addSubModel(*points, triangles);
  const int ended = model->endModel();
  if (added != fcl::BVH_OK || ended != fcl::BVH_OK)
    bench::fail("FCL refuses the mesh: code " + std::to_string(std::min(added, ended)));
  return model;
}

class Fcl {
 public:
  static constexpr bool has_within = false;
  Fcl(const bench::shapes::File& file, const std::string& way)
      : a_(shape(file.shapes[0])), b_(shape(file.shapes[1])), request_(1, false), gap_(false, false),
        warm_(way == "warm") {
    if (!way.empty() && !warm_) bench::fail("there is no way " + way);
    if (warm_) {
      request_.gjk_solver_type = gap_.gjk_solver_type = fcl::GST_INDEP;
      request_.enable_cached_gjk_guess = true;
      request_.cached_gjk_guess = fcl::Vector3d(1, 0, 0);
    }
    for (const auto& frame : file.frames) {
      for (const auto& pose : frame) {
        fcl::Transform3d to = fcl::Transform3d::Identity();
        for (int i = 0; i < 9; i++) to.linear()(i / 3, i % 3) = pose.r[i];
        for (int i = 0; i < 3; i++) to.translation()[i] = pose.t[i];
        poses_.push_back(to);
      }
    }
  }
  std::string name() const { return "FCL"; }
  std::string version() const { return FCL_VERSION; }
  std::string notes() const {
    return "f64; Sphere, Capsule, Convex, BVHModel<OBBRSS>; collide without contact data, distance unsigned "
           "without nearest points, errors allowed 0; hulls by libccd (default), or `warm` by its own GJK, "
           "with a guess for collide only; no margins";
  }
  bool first(size_t k) {
    result_.clear();
    fcl::collide(a_.get(), poses_[2 * k], b_.get(), poses_[2 * k + 1], request_, result_);
    if (warm_) request_.cached_gjk_guess = result_.cached_gjk_guess;
    return result_.isCollision();
  }
  double distance(size_t k) {
    distance_.clear();
    fcl::distance(a_.get(), poses_[2 * k], b_.get(), poses_[2 * k + 1], gap_, distance_);
    return std::max(distance_.min_distance, 0.0);
  }

 private:
  std::unique_ptr<fcl::CollisionGeometryd> a_, b_;
  fcl::CollisionRequestd request_;
  fcl::DistanceRequestd gap_;
  bool warm_;
  std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> poses_;
  fcl::CollisionResultd result_;
  fcl::DistanceResultd distance_;
};

int main(int argc, char** argv) { return bench::shapes::run<Fcl>(argc, argv); }
