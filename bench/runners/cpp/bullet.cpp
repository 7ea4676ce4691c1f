// Bullet's GImpact, the only pair of its shapes that tests mesh against mesh. Its algorithm object returns
// contact points, not triangles, so this runner calls its two public steps: find_collision over both trees,
// and the test of each pair. That test treats a triangle as the front of a solid, and so finds more pairs
// than those that meet.
#include "runner.h"
#include "triangle.h"

#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>

class Gimpact {
 public:
  /// `test`: Bullet's own, or a plain test of two triangles in f64.
  static bench::Options options() { return {{"test", "own"}}; }
  Gimpact(const bench::Mesh& a, const bench::Mesh& b, const bench::Options& options) : own_(options.at("test") == "own") {
    if (!own_ && options.at("test") != "plain") bench::fail("--test is own or plain, not `" + options.at("test") + "`");
    fill(0, a);
    fill(1, b);
  }
  ~Gimpact() {
    for (int k = 0; k < 2; k++) delete shape_[k], delete mesh_[k];
  }
  Gimpact(const Gimpact&) = delete;
  std::string name() const { return own_ ? "Bullet GImpact" : "Bullet GImpact, plain test"; }
  std::string version() const { return std::to_string(btGetVersion()); }
  std::string notes() const {
    return std::string("f32: vertices and poses rounded to it; quantised boxes; margin 0; ") +
           (own_ ? "triangles by Bullet's clipping, which treats them as fronts of solids"
                 : "triangles by a plain f64 test on the rounded points: no library's code");
  }
  int64_t copied() const {
    int64_t bytes = 0;
    for (int k = 0; k < 2; k++) bytes += points_[k].capacity() * sizeof(btVector3) + indices_[k].capacity() * sizeof(int);
    return bytes;
  }
  void place(const std::array<bench::Pose, 2>& frame) {
    for (int k = 0; k < 2; k++) {
      const double *r = frame[k].r, *t = frame[k].t;
      pose_[k] = btTransform(btMatrix3x3(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]), btVector3(t[0], t[1], t[2]));
    }
  }
  void query(bool all, std::vector<bench::Pair>& pairs) {
    pairs.clear();
    btGImpactMeshShapePart* part[2] = {shape_[0]->getMeshPart(0), shape_[1]->getMeshPart(0)};
    candidates_.resize(0);
    btGImpactQuantizedBvh::find_collision(part[0]->getBoxSet(), pose_[0], part[1]->getBoxSet(), pose_[1], candidates_);
    for (auto* p : part) p->lockChildShapes();
    for (int i = 0; i < candidates_.size() && (all || pairs.empty()); i++) {
      const GIM_PAIR& pair = candidates_[i];
      btPrimitiveTriangle p, q;
      part[0]->getPrimitiveTriangle(pair.m_index1, p);
      part[1]->getPrimitiveTriangle(pair.m_index2, q);
      p.applyTransform(pose_[0]);
      q.applyTransform(pose_[1]);
      if (own_ ? own_test(p, q) : plain_test(p, q)) pairs.emplace_back(pair.m_index1, pair.m_index2);
    }
    for (auto* p : part) p->unlockChildShapes();
  }

 private:
  static bool own_test(btPrimitiveTriangle& p, btPrimitiveTriangle& q) {
    GIM_TRIANGLE_CONTACT contact;
    p.buildTriPlane();
    q.buildTriPlane();
    return p.overlap_test_conservative(q) && p.find_triangle_collision_clip_method(q, contact);
  }
  static bool plain_test(const btPrimitiveTriangle& p, const btPrimitiveTriangle& q) {
    bench::Triangle c[2];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) c[0][i][j] = p.m_vertices[i][j], c[1][i][j] = q.m_vertices[i][j];
    return bench::meet(c[0], c[1]);
  }
  void fill(int k, const bench::Mesh& mesh) {
    for (const auto& p : mesh.points) points_[k].emplace_back(p[0], p[1], p[2]);
    for (const auto& t : mesh.triangles) indices_[k].insert(indices_[k].end(), t.begin(), t.end());
    mesh_[k] = new btTriangleIndexVertexArray(int(mesh.triangles.size()), indices_[k].data(), 3 * sizeof(int), int(points_[k].size()),
                                              &points_[k][0][0], sizeof(btVector3));
    shape_[k] = new btGImpactMeshShape(mesh_[k]);
    shape_[k]->setMargin(0);
    shape_[k]->updateBound();
  }
  bool own_;
  std::vector<btVector3> points_[2];
  std::vector<int> indices_[2];
  btTriangleIndexVertexArray* mesh_[2];
  btGImpactMeshShape* shape_[2];
  btTransform pose_[2];
  btPairSet candidates_;
};

int main(int argc, char** argv) { return bench::run<Gimpact>(argc, argv); }
