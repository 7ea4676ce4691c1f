// CGAL's box_self_intersection_d: all boxes anew each time, by streamed segment trees. Boxes alone; it sorts them, so that it is given fresh ones, in the clock.
#include "many.h"

#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

using Swept = CGAL::Box_intersection_d::Box_with_info_d<double, 3, uint32_t>;

struct BoxRace : bench::many::Race<std::vector<bench::many::Box>> {
  void place(const std::vector<bench::many::Box>& frame) override { boxes_ = frame; }
  void update() override {
    swept_.clear();
    pairs_.clear();
    for (uint32_t i = 0; i < boxes_.size(); i++)
      swept_.emplace_back(CGAL::Bbox_3(boxes_[i].lo[0], boxes_[i].lo[1], boxes_[i].lo[2], boxes_[i].hi[0], boxes_[i].hi[1], boxes_[i].hi[2]), i);
    CGAL::box_self_intersection_d(swept_.begin(), swept_.end(), [this](const Swept& a, const Swept& b) { pairs_.emplace_back(a.info(), b.info()); });
  }
  size_t found(std::vector<bench::Pair>& pairs) override {
    pairs = pairs_;
    return 0;
  }

 private:
  std::vector<bench::many::Box> boxes_;
  std::vector<Swept> swept_;
  std::vector<bench::Pair> pairs_;
};

struct Cgal {
  static std::string name() { return "CGAL"; }
  static std::string version() { return CGAL_VERSION_STR; }
  static std::string notes(const std::string&) { return "box_self_intersection_d with its default cutoff, closed boxes; the callback keeps the pair"; }
  static std::unique_ptr<bench::many::Race<std::vector<bench::Pose>>> bodies(const bench::many::Bodies&, const std::string&, bool) {
    bench::fail("CGAL has no method for bodies");
  }
  static std::unique_ptr<bench::many::Race<std::vector<bench::many::Box>>> boxes(const std::vector<bench::many::Box>&, const std::string&) {
    return std::make_unique<BoxRace>();
  }
};

int main(int argc, char** argv) { return bench::many::run<Cgal>(argc, argv); }
