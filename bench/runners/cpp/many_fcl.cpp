// FCL's broad phases and BVHModel, called as its users call them: a manager, its objects, a callback.
#include "many.h"

#include <fcl/fcl.h>

using Manager = fcl::BroadPhaseCollisionManagerd;
using Object = fcl::CollisionObjectd;

static uint32_t index_of(const Object* object) { return uint32_t(reinterpret_cast<uintptr_t>(object->getUserData())); }

static std::unique_ptr<Manager> manager(const std::string& name) {
  if (name == "tree" || name == "tree-insert") return std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>();
  if (name == "tree-array") return std::make_unique<fcl::DynamicAABBTreeCollisionManager_Arrayd>();
  if (name == "ssap") return std::make_unique<fcl::SSaPCollisionManagerd>();
  if (name == "interval") return std::make_unique<fcl::IntervalTreeCollisionManagerd>();
  bench::fail("FCL has no method `" + name + "`");
}

/// Objects and their manager. The objects outlive it.
struct World {
  std::vector<std::unique_ptr<Object>> objects;
  std::vector<Object*> pointers;
  std::unique_ptr<Manager> phase;
  /// Passes every object to the manager by name: it then removes each from its tree and inserts it again,
  /// rather than refitting the tree.
  bool insert = false;
  void add(std::unique_ptr<Object> object) {
    object->setUserData(reinterpret_cast<void*>(uintptr_t(objects.size())));
    pointers.push_back(object.get());
    objects.push_back(std::move(object));
  }
  void update() {
    if (insert) phase->update(pointers);
    else phase->update();
  }
  void start() {
    phase->registerObjects(pointers);
    phase->setup();
  }
};

template <class Volume>
struct BodyRace : bench::many::Race<std::vector<bench::Pose>> {
  BodyRace(const bench::many::Bodies& scene, const std::string& method, bool all) : all_(all), poses_(scene.bodies.size()) {
    std::vector<std::shared_ptr<fcl::BVHModel<Volume>>> models;
    for (const auto& mesh : scene.meshes) {
      models.push_back(std::make_shared<fcl::BVHModel<Volume>>());
      std::vector<fcl::Vector3d> points;
      for (const auto& p : mesh.points) points.emplace_back(p[0], p[1], p[2]);
      std::vector<fcl::Triangle> triangles;
      for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
      auto& model = *models.back();
      model.beginModel(int(triangles.size()), int(points.size()));
      const int added = model.addSubModel(points, triangles), ended = model.endModel();
      if (added != fcl::BVH_OK || ended != fcl::BVH_OK) bench::fail("FCL refuses the mesh: code " + std::to_string(std::min(added, ended)));
    }
    world_.phase = manager(method);
    place(scene.frames.at(0));
    for (size_t i = 0; i < poses_.size(); i++) world_.add(std::make_unique<Object>(models[scene.bodies[i]], poses_[i]));
    world_.start();
  }
  void place(const std::vector<bench::Pose>& frame) override {
    for (size_t k = 0; k < frame.size(); k++) {
      poses_[k] = fcl::Transform3d::Identity();
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) poses_[k].linear()(i, j) = frame[k].r[3 * i + j];
        poses_[k].translation()[i] = frame[k].t[i];
      }
    }
  }
  void update() override {
    for (size_t k = 0; k < poses_.size(); k++) {
      world_.pointers[k]->setTransform(poses_[k]);
      world_.pointers[k]->computeAABB();
    }
    world_.update();
    pairs_.clear();
    triangles_ = 0;
    world_.phase->collide(this, [](Object* a, Object* b, void* data) {
      static_cast<BodyRace*>(data)->meet(a, b);
      return false;
    });
  }
  void meet(Object* a, Object* b) {
    const fcl::CollisionRequestd request(all_ ? size_t(-1) : 1, false);
    result_.clear();
    fcl::collide(a, b, request, result_);
    if (!result_.isCollision()) return;
    pairs_.emplace_back(index_of(a), index_of(b));
    if (all_) triangles_ += result_.numContacts();
  }
  size_t found(std::vector<bench::Pair>& pairs) override {
    pairs = pairs_;
    return triangles_;
  }

 private:
  bool all_;
  std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> poses_;
  World world_;
  fcl::CollisionResultd result_;
  std::vector<bench::Pair> pairs_;
  size_t triangles_ = 0;
};

/// Objects are placed outside the clock, and their boxes computed: these then equal, to the last bit, the
/// given ones.
struct BoxRace : bench::many::Race<std::vector<bench::many::Box>> {
  BoxRace(const std::vector<bench::many::Box>& first, const std::string& method) {
    world_.insert = method == "tree-insert";
    world_.phase = manager(method);
    for (size_t i = 0; i < first.size(); i++)
      // The shape only holds the box: it is never queried.
      world_.add(std::make_unique<Object>(std::make_shared<fcl::Sphered>(0.01), fcl::Transform3d::Identity()));
    place(first);
    world_.start();
  }
  void place(const std::vector<bench::many::Box>& frame) override {
    for (size_t i = 0; i < frame.size(); i++) {
      // The reference to its box is FCL's only way to give an object a box to the last bit.
      auto& box = const_cast<fcl::AABBd&>(world_.pointers[i]->getAABB());
      box.min_ = fcl::Vector3d(frame[i].lo[0], frame[i].lo[1], frame[i].lo[2]);
      box.max_ = fcl::Vector3d(frame[i].hi[0], frame[i].hi[1], frame[i].hi[2]);
    }
  }
  void update() override {
    pairs_.clear();
    world_.update();
    world_.phase->collide(this, [](Object* a, Object* b, void* data) {
      static_cast<BoxRace*>(data)->pairs_.emplace_back(a, b);
      return false;
    });
  }
  size_t found(std::vector<bench::Pair>& pairs) override {
    for (const auto& [a, b] : pairs_) pairs.emplace_back(index_of(a), index_of(b));
    return 0;
  }

 private:
  World world_;
  std::vector<std::pair<Object*, Object*>> pairs_;
};

struct Fcl {
  static std::string name() { return "FCL"; }
  static std::string version() { return FCL_VERSION; }
  static std::string notes(const std::string& method) {
    if (method.rfind("obb", 0) == 0) return "BVHModel and manager by `" + method + "` (DynamicAABBTree by default), with their defaults; no contact data";
    return "manager `" + method + "` with its defaults; update() receives " + (method == "tree-insert" ? "every object, which it removes and inserts" : "nothing, and refits or sorts") +
           "; the callback keeps the pair";
  }
  static std::unique_ptr<bench::many::Race<std::vector<bench::Pose>>> bodies(const bench::many::Bodies& scene, const std::string& method, bool all) {
    const size_t dash = method.find('-');
    const std::string volume = method.substr(0, dash), phase = dash == std::string::npos ? "tree" : method.substr(dash + 1);
    if (volume == "obb") return std::make_unique<BodyRace<fcl::OBBd>>(scene, phase, all);
    if (volume == "obbrss") return std::make_unique<BodyRace<fcl::OBBRSSd>>(scene, phase, all);
    bench::fail("methods for bodies are obb and obbrss, with -tree, -ssap and so on after it, not `" + method + "`");
  }
  static std::unique_ptr<bench::many::Race<std::vector<bench::many::Box>>> boxes(const std::vector<bench::many::Box>& first, const std::string& method) {
    return std::make_unique<BoxRace>(first, method);
  }
};

int main(int argc, char** argv) { return bench::many::run<Fcl>(argc, argv); }
