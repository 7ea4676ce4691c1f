// Finds every clash of an assembly by FCL, as its users would: a sweep over the parts' boxes, a BVHModel<OBB>
// of each part that meets another's box, and fcl::collide of each two such parts, all contacts.
#include "assembly.h"

#include <fcl/fcl.h>

#include <memory>

class Fcl {
 public:
  using Point = fcl::Vector3d;
  using Assembly = bench::assembly::Assembly<Point>;
  using Model = fcl::BVHModel<fcl::OBBd>;

  static std::vector<std::string> methods() { return {"obb"}; }
  static std::string name(const std::string&) { return "FCL OBB"; }
  static const char* version() { return FCL_VERSION; }
  static std::string notes(const std::string&) {
    return "sorted boxes of the parts; a BVHModel of each part whose box meets another's, library defaults; "
           "fcl::collide with any number of contacts and no contact data; f64 without exact predicates";
  }

  explicit Fcl(const Assembly& assembly) : assembly_(assembly), of_(assembly.by_part()) {}

  bench::assembly::Found find(const std::string&) {
    std::vector<bench::assembly::Bounds> bounds(of_.size());
    for (size_t i = 0; i < assembly_.triangles.size(); i++)
      for (uint32_t corner : assembly_.triangles[i]) bounds[assembly_.part[i]].add(assembly_.points[corner]);
    bench::assembly::Found found;
    models_.resize(of_.size());
    renamed_.resize(assembly_.points.size());
    const auto identity = fcl::Transform3d::Identity();
    const fcl::CollisionRequestd request(size_t(-1), false);
    fcl::CollisionResultd result;
    bench::assembly::sweep(bounds, [&](uint32_t a, uint32_t b) {
      result.clear();
      fcl::collide(&model(a), identity, &model(b), identity, request, result);
      found.clashing += result.numContacts() > 0;
      found.triangle_pairs += result.numContacts();
    });
    return found;
  }

 private:
  /// Built on first use.
  const Model& model(uint32_t part) {
    if (models_[part]) return *models_[part];
    std::vector<Point> points;
    std::vector<fcl::Triangle> triangles;
    triangles.reserve(of_[part].size());
    for (uint32_t i : of_[part]) {
      size_t corners[3];
      for (int k = 0; k < 3; k++) {
        auto& [owner, name] = renamed_[assembly_.triangles[i][k]];
        if (owner != part + 1) {
          owner = part + 1, name = uint32_t(points.size());
          points.push_back(assembly_.points[assembly_.triangles[i][k]]);
        }
        corners[k] = name;
      }
      triangles.emplace_back(corners[0], corners[1], corners[2]);
    }
    auto model = std::make_unique<Model>();
    model->beginModel(int(triangles.size()), int(points.size()));
    const int added = model->addSubModel(points, triangles);
    const int ended = model->endModel();
    if (added != fcl::BVH_OK || ended != fcl::BVH_OK)
      bench::fail("FCL refuses a part: code " + std::to_string(std::min(added, ended)));
    models_[part] = std::move(model);
    return *models_[part];
  }

  const Assembly& assembly_;
  std::vector<std::vector<uint32_t>> of_;
  std::vector<std::unique_ptr<Model>> models_;
  /// For each point of the file the last part that named it (plus one), and its number there.
  std::vector<std::pair<uint32_t, uint32_t>> renamed_;
};

int main(int argc, char** argv) { return bench::assembly::run<Fcl>(argc, argv); }
