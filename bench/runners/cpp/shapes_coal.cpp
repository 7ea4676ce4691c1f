// Coal's Sphere, Capsule, Convex and BVHModel<OBBRSS> in the race of shapes: ComputeCollision, with a margin
// or without, and ComputeDistance, its functors for one pair. Ways: `` from the default guess of each query,
// `warm` from the last query's result (GJKInitialGuess::CachedGuess).
#include "shapes.h"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/config.hh>
#include <coal/distance.h>
#include <coal/shape/convex.h>

#include <memory>

using bench::shapes::Kind;

std::unique_ptr<coal::CollisionGeometry> shape(const bench::shapes::Shape& of) {
  if (of.kind == Kind::sphere) return std::make_unique<coal::Sphere>(of.radius);
  if (of.kind == Kind::capsule) return std::make_unique<coal::Capsule>(of.radius, of.height);
  auto points = std::make_shared<std::vector<coal::Vec3s>>();
  for (const auto& p : of.mesh.points) points->emplace_back(p[0], p[1], p[2]);
  auto triangles = std::make_shared<std::vector<coal::Triangle>>();
  for (const auto& t : of.mesh.triangles) triangles->emplace_back(t[0], t[1], t[2]);
  if (of.kind == Kind::hull)
    return std::make_unique<coal::Convex<coal::Triangle>>(points, unsigned(points->size()), triangles,
                                                          unsigned(triangles->size()));
  auto model = std::make_unique<coal::BVHModel<coal::OBBRSS>>();
  model->beginModel(unsigned(triangles->size()), unsigned(points->size()));
  const int added = model->addSubModel(*points, *triangles);
  const int ended = model->endModel();
  if (added != coal::BVH_OK || ended != coal::BVH_OK)
    bench::fail("Coal refuses the mesh: code " + std::to_string(std::min(added, ended)));
  return model;
}

class Coal {
 public:
  static constexpr bool has_within = true;
  Coal(const bench::shapes::File& file, const std::string& way)
      : a_(shape(file.shapes[0])), b_(shape(file.shapes[1])), collide_(a_.get(), b_.get()),
        measure_(a_.get(), b_.get()), first_(coal::NO_REQUEST, 1), near_(coal::NO_REQUEST, 1),
        gap_(true, false) {
    if (!way.empty() && way != "warm") bench::fail("there is no way " + way);
    near_.security_margin = file.margin;
    for (coal::CollisionRequest* request : {&first_, &near_}) request->break_distance = 0;
    if (way == "warm") {
      const auto warm = coal::GJKInitialGuess::CachedGuess;
      first_.gjk_initial_guess = near_.gjk_initial_guess = gap_.gjk_initial_guess = warm;
    }
    for (const auto& frame : file.frames) {
      for (const auto& pose : frame) {
        coal::Matrix3s r;
        for (int i = 0; i < 9; i++) r(i / 3, i % 3) = pose.r[i];
        poses_.emplace_back(r, coal::Vec3s(pose.t[0], pose.t[1], pose.t[2]));
      }
    }
  }
  std::string name() const { return "Coal"; }
  std::string version() const { return COAL_VERSION; }
  std::string notes() const {
    return "f64; Sphere, Capsule, Convex, BVHModel<OBBRSS>; ComputeCollision with NO_REQUEST, "
           "ComputeDistance unsigned with nearest points; GJK's default tolerance of 1e-6; break_distance 0";
  }
  bool first(size_t k) { return collides(k, first_); }
  bool within(size_t k) { return collides(k, near_); }
  double distance(size_t k) {
    distance_.clear();
    measure_(poses_[2 * k], poses_[2 * k + 1], gap_, distance_);
    return std::max(distance_.min_distance, 0.0);
  }

 private:
  bool collides(size_t k, const coal::CollisionRequest& request) {
    result_.clear();
    collide_(poses_[2 * k], poses_[2 * k + 1], request, result_);
    return result_.isCollision();
  }
  std::unique_ptr<coal::CollisionGeometry> a_, b_;
  coal::ComputeCollision collide_;
  coal::ComputeDistance measure_;
  coal::CollisionRequest first_, near_;
  coal::DistanceRequest gap_;
  std::vector<coal::Transform3s> poses_;
  coal::CollisionResult result_;
  coal::DistanceResult distance_;
};

int main(int argc, char** argv) { return bench::shapes::run<Coal>(argc, argv); }
