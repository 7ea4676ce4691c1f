// FCL's BVHModel, called as its users call it: fcl::collide and fcl::distance. Without contact data a result
// is one entry per pair of triangles.
#include "runner.h"

#include <fcl/fcl.h>

template <class Volume>
class Fcl {
 public:
  static bench::Options options() { return {{"volume", "obb"}}; }
  Fcl(const bench::Mesh& a, const bench::Mesh& b, const bench::Options&) {
    fill(a_, a);
    fill(b_, b);
    // FCL stores vertices, and indices of size_t.
    for (const auto* m : {&a, &b}) copied_ += m->points.size() * sizeof(fcl::Vector3d) + m->triangles.size() * sizeof(fcl::Triangle);
  }
  std::string name() const {
    return is_obb ? "FCL OBB" : std::is_same_v<Volume, fcl::RSSd> ? "FCL RSS" : "FCL OBBRSS";
  }
  std::string version() const { return FCL_VERSION; }
  std::string notes() const {
    return "f64 throughout; poses as matrices, the relative one rounded; library defaults: split at the mean, covariance fit, "
           "one triangle a leaf; no contact data; "
           "distances unsigned, without nearest points, errors allowed 0 (its default)";
  }
  int64_t copied() const { return copied_; }
  void place(const std::array<bench::Pose, 2>& frame) {
    for (int k = 0; k < 2; k++) {
      pose_[k] = fcl::Transform3d::Identity();
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) pose_[k].linear()(i, j) = frame[k].r[3 * i + j];
        pose_[k].translation()[i] = frame[k].t[i];
      }
    }
  }
  void query(bool all, std::vector<bench::Pair>& pairs) {
    pairs.clear();
    result_.clear();
    const fcl::CollisionRequestd request(all ? size_t(-1) : 1, false);
    fcl::collide(&a_, pose_[0], &b_, pose_[1], request, result_);
    pairs.reserve(result_.numContacts());
    for (size_t i = 0; i < result_.numContacts(); i++) {
      const auto& contact = result_.getContact(i);
      pairs.emplace_back(contact.b1, contact.b2);
    }
  }
  double distance() {
    if (is_obb) bench::fail("FCL has no --query distance of OBB trees");
    distance_.clear();
    fcl::distance(&a_, pose_[0], &b_, pose_[1], fcl::DistanceRequestd(false, false), distance_);
    return distance_.min_distance;
  }

 private:
  static constexpr bool is_obb = std::is_same_v<Volume, fcl::OBBd>;
  static void fill(fcl::BVHModel<Volume>& model, const bench::Mesh& mesh) {
    std::vector<fcl::Vector3d> points;
    for (const auto& p : mesh.points) points.emplace_back(p[0], p[1], p[2]);
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    model.beginModel(int(triangles.size()), int(points.size()));
    const int added = model.addSubModel(points, triangles);
    const int ended = model.endModel();
    if (added != fcl::BVH_OK || ended != fcl::BVH_OK) bench::fail("FCL refuses the mesh: code " + std::to_string(std::min(added, ended)));
  }
  fcl::BVHModel<Volume> a_, b_;
  fcl::Transform3d pose_[2];
  fcl::CollisionResultd result_;
  fcl::DistanceResultd distance_;
  int64_t copied_ = 0;
};

int main(int argc, char** argv) {
  const std::string volume = bench::parse(argc, argv, Fcl<fcl::OBBd>::options()).options["volume"];
  if (volume == "obb") return bench::run<Fcl<fcl::OBBd>>(argc, argv);
  if (volume == "obbrss") return bench::run<Fcl<fcl::OBBRSSd>>(argc, argv);
  if (volume == "rss") return bench::run<Fcl<fcl::RSSd>>(argc, argv);
  bench::fail("--volume is obb, obbrss or rss, not `" + volume + "`");
}
