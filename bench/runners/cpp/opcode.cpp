// OPCODE as ODE ships it, through its own interface: ODE's dCollide returns merged contacts, not pairs.
#include "runner.h"

#include <Opcode.h>

class OpcodeTrees {
 public:
  /// `test`: boxes by all 15 axes (OPCODE's default) or by 6. `tree`: as ODE builds it, or OPCODE's default, quantised.
  static bench::Options options() { return {{"test", "full"}, {"tree", "plain"}}; }
  OpcodeTrees(const bench::Mesh& a, const bench::Mesh& b, const bench::Options& options) : options_(options) {
    if (!one_of("test", "full", "lite") || !one_of("tree", "plain", "quantised"))
      bench::fail("--test is full or lite, --tree plain or quantised");
    fill(0, a);
    fill(1, b);
    collider_.SetFullBoxBoxTest(options_["test"] == "full");
    collider_.SetFullPrimBoxTest(options_["test"] == "full");
    collider_.SetTemporalCoherence(false);
  }
  std::string name() const { return "OPCODE " + options_.at("tree") + " " + options_.at("test"); }
  std::string version() const { return "1.3 in ODE " ODE_VERSION; }
  std::string notes() const {
    return "f32: vertices and poses rounded to it; triangles by Moller 1997 with an epsilon; no-leaf tree, best axis, split at the centre";
  }
  int64_t copied() const {
    int64_t bytes = 0;
    for (int k = 0; k < 2; k++) bytes += points_[k].capacity() * sizeof(Point) + triangles_[k].capacity() * sizeof(IndexedTriangle);
    return bytes;
  }
  void place(const std::array<bench::Pose, 2>& frame) {
    for (int k = 0; k < 2; k++) {  // OPCODE multiplies row vectors from the left.
      pose_[k].Identity();
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) pose_[k].m[j][i] = float(frame[k].r[3 * i + j]);
        pose_[k].m[3][i] = float(frame[k].t[i]);
      }
    }
  }
  void query(bool all, std::vector<bench::Pair>& pairs) {
    pairs.clear();
    collider_.SetFirstContact(!all);
    Opcode::BVTCache cache;
    cache.Model0 = &model_[0];
    cache.Model1 = &model_[1];
    if (!collider_.Collide(cache, &pose_[0], &pose_[1])) bench::fail("OPCODE refuses the query");
    const auto* found = collider_.GetPairs();
    const size_t n = collider_.GetNbPairs();
    pairs.reserve(n);
    for (size_t i = 0; i < n; i++) pairs.emplace_back(found[i].id0, found[i].id1);
  }

 private:
  bool one_of(const char* option, const char* x, const char* y) { return options_[option] == x || options_[option] == y; }
  void fill(int k, const bench::Mesh& mesh) {
    for (const auto& p : mesh.points) points_[k].emplace_back(float(p[0]), float(p[1]), float(p[2]));
    for (const auto& t : mesh.triangles) triangles_[k].emplace_back(t[0], t[1], t[2]);
    mesh_[k].SetNbTriangles(mesh.triangles.size());
    mesh_[k].SetNbVertices(mesh.points.size());
    mesh_[k].SetPointers(triangles_[k].data(), points_[k].data());
    mesh_[k].SetSingle(true);
    const Opcode::BuildSettings settings(Opcode::SPLIT_BEST_AXIS | Opcode::SPLIT_SPLATTER_POINTS | Opcode::SPLIT_GEOM_CENTER);
    if (!model_[k].Build(Opcode::OPCODECREATE(&mesh_[k], settings, true, options_["tree"] == "quantised")))
      bench::fail("OPCODE refuses mesh " + std::string(k ? "b" : "a"));
  }
  bench::Options options_;
  std::vector<Point> points_[2];
  std::vector<IndexedTriangle> triangles_[2];
  Opcode::MeshInterface mesh_[2];
  Opcode::Model model_[2];
  Opcode::AABBTreeCollider collider_;
  Matrix4x4 pose_[2];
};

int main(int argc, char** argv) { return bench::run<OpcodeTrees>(argc, argv); }
