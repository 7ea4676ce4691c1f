// Coal's BVHModel, called as its users call it: coal::collide, with a margin or without, and coal::distance.
// One contact per pair of triangles.
#include "runner.h"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/config.hh>
#include <coal/distance.h>

template <class Volume>
class Coal {
 public:
  static bench::Options options() { return {{"volume", "obb"}}; }
  Coal(const bench::Mesh& a, const bench::Mesh& b, const bench::Options&) {
    fill(a_, a);
    fill(b_, b);
    for (const auto* m : {&a, &b}) copied_ += m->points.size() * sizeof(coal::Vec3s) + m->triangles.size() * sizeof(coal::Triangle);
  }
  std::string name() const {
    return is_obb ? "Coal OBB" : std::is_same_v<Volume, coal::RSS> ? "Coal RSS" : "Coal OBBRSS";
  }
  std::string version() const { return COAL_VERSION; }
  std::string notes() const {
    return "f64 throughout; poses as matrices, the relative one rounded; library defaults: split at the mean, covariance fit, "
           "one triangle a leaf; triangles by GJK with a tolerance; break_distance 0 (default 1e-3: opens boxes that near); no contact data; "
           "distances unsigned (default signed: costs more), errors allowed 0 (its default)";
  }
  int64_t copied() const { return copied_; }
  void place(const std::array<bench::Pose, 2>& frame) {
    for (int k = 0; k < 2; k++) {
      coal::Matrix3s r;
      coal::Vec3s t;
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) r(i, j) = frame[k].r[3 * i + j];
        t[i] = frame[k].t[i];
      }
      pose_[k] = coal::Transform3s(r, t);
    }
  }
  void query(bool all, std::vector<bench::Pair>& pairs) {
    pairs.clear();
    collide(all ? size_t(-1) : 1, 0);
    pairs.reserve(result_.numContacts());
    for (size_t i = 0; i < result_.numContacts(); i++) {
      const auto& contact = result_.getContact(i);
      pairs.emplace_back(contact.b1, contact.b2);
    }
  }
  bool within(double margin) {
    collide(1, margin);
    return result_.isCollision();
  }
  double distance() {
    // It prints `not implemented`, and finds nothing.
    if (is_obb) bench::fail("Coal has no --query distance of OBB trees");
    distance_.clear();
    coal::distance(&a_, pose_[0], &b_, pose_[1], coal::DistanceRequest(true, false), distance_);
    return distance_.min_distance;
  }

 private:
  static constexpr bool is_obb = std::is_same_v<Volume, coal::OBB>;
  void collide(size_t contacts, double margin) {
    result_.clear();
    coal::CollisionRequest request(coal::NO_REQUEST, contacts);
    request.break_distance = 0;
    request.security_margin = margin;
    coal::collide(&a_, pose_[0], &b_, pose_[1], request, result_);
  }
  static void fill(coal::BVHModel<Volume>& model, const bench::Mesh& mesh) {
    std::vector<coal::Vec3s> points;
    for (const auto& p : mesh.points) points.emplace_back(p[0], p[1], p[2]);
    std::vector<coal::Triangle> triangles;
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    model.beginModel(triangles.size(), points.size());
    const int added = model.addSubModel(points, triangles);
    const int ended = model.endModel();
    if (added != coal::BVH_OK || ended != coal::BVH_OK) bench::fail("Coal refuses the mesh: code " + std::to_string(std::min(added, ended)));
  }
  coal::BVHModel<Volume> a_, b_;
  coal::Transform3s pose_[2];
  coal::CollisionResult result_;
  coal::DistanceResult distance_;
  int64_t copied_ = 0;
};

int main(int argc, char** argv) {
  const std::string volume = bench::parse(argc, argv, Coal<coal::OBB>::options()).options["volume"];
  if (volume == "obb") return bench::run<Coal<coal::OBB>>(argc, argv);
  if (volume == "obbrss") return bench::run<Coal<coal::OBBRSS>>(argc, argv);
  if (volume == "rss") return bench::run<Coal<coal::RSS>>(argc, argv);
  bench::fail("--volume is obb, obbrss or rss, not `" + volume + "`");
}
