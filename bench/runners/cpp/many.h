// Races of many bodies: bodies that all move, and boxes only. ../../contract/src/many.rs is the Rust version,
// and describes input and output.
#pragma once
#include "runner.h"

#include <ctime>
#include <memory>

namespace bench::many {

struct Bodies {
  std::vector<Mesh> meshes;
  std::vector<uint32_t> bodies;
  std::vector<std::vector<Pose>> frames;
};

struct Box {
  Point lo, hi;
};

/// A method under test.
template <class Frame>
struct Race {
  virtual ~Race() = default;
  /// Sets a frame, outside the clock.
  virtual void place(const Frame& frame) = 0;
  /// Finds all pairs. Timed.
  virtual void update() = 0;
  /// Results of the last update, outside the clock: the pairs, and the number of pairs of triangles if the
  /// query needs it.
  virtual size_t found(std::vector<Pair>& pairs) = 0;
};

struct MovingBox {
  double centre[3], half, step[3];
  void advance() {
    for (int k = 0; k < 3; k++) {
      if (centre[k] + step[k] < 0 || centre[k] + step[k] > 1) step[k] = -step[k];
      centre[k] += step[k];
    }
  }
  Box box() const {
    Box b;
    for (int k = 0; k < 3; k++) b.lo[k] = centre[k] - half, b.hi[k] = centre[k] + half;
    return b;
  }
};

struct Arguments {
  std::string file, method, query = "first";
  size_t warm = 10, frames = 1000000;
};

inline Arguments parse(int argc, char** argv) {
  Arguments out;
  for (int i = 1; i < argc; i++) {
    const std::string arg = argv[i];
    if (arg.rfind("--", 0) != 0) {
      out.file = arg;
      continue;
    }
    if (++i == argc) fail(arg + " needs a value");
    if (arg == "--method") out.method = argv[i];
    else if (arg == "--query") out.query = argv[i];
    else if (arg == "--warm") out.warm = number(argv[i], arg);
    else if (arg == "--frames") out.frames = number(argv[i], arg);
    else fail("no such option: " + arg);
  }
  if (out.file.empty()) fail("usage: RUNNER FILE --method NAME [--query first|pairs] [--warm N] [--frames N]");
  return out;
}

/// Nanoseconds of processor time of the process with all its threads: other work on the machine does not
/// count.
inline int64_t spent() {
  timespec now;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) fail("no clock of the process");
  return int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
}

template <class Frame>
void frame(Race<Frame>& race, const Frame& poses, size_t i, bool timed) {
  static std::vector<Pair> pairs;
  race.place(poses);
  const int64_t start = spent();
  race.update();
  const int64_t ns = spent() - start;
  if (!timed) return;
  pairs.clear();
  const size_t triangles = race.found(pairs);
  for (auto& [a, b] : pairs)
    if (a > b) std::swap(a, b);
  std::printf("%zu\t%lld\t%zu\t%zu\t%016llx\n", i, (long long)ns, pairs.size(), triangles, (unsigned long long)digest(pairs));
}

/// A library has: name, version, notes(method), and bodies(scene, method, all) and boxes(first, method),
/// which make a race or fail.
template <class Library>
int run(int argc, char** argv) {
  const Arguments args = parse(argc, argv);
  Reader in(args.file);
  std::string magic;
  for (int i = 0; i < 8; i++) magic += in.take<char>("the magic number");
  if (magic != "IMPMANYB" && magic != "IMPBOXES") in.bad("begins neither with IMPMANYB nor with IMPBOXES");
  if (uint32_t v = in.take<uint32_t>("the version"); v != 1) in.bad("version " + std::to_string(v) + ", not 1");
  const auto head = [&] {
    std::printf("#engine\t%s\n#version\t%s\n#flags\tg++ %s %s\n#notes\t%s\n", Library::name().c_str(), Library::version().c_str(), __VERSION__,
                BENCH_FLAGS, Library::notes(args.method).c_str());
  };
  if (magic == "IMPMANYB") {
    Bodies scene;
    const uint32_t meshes = in.take<uint32_t>("the number of meshes");
    for (uint32_t i = 0; i < meshes; i++) scene.meshes.push_back(read_mesh(in));
    const uint32_t n = in.take<uint32_t>("the number of bodies");
    for (uint32_t i = 0; i < n; i++) {
      scene.bodies.push_back(in.take<uint32_t>("a body"));
      if (scene.bodies.back() >= meshes) in.bad("a body has a mesh that does not exist");
    }
    const uint32_t frames = in.take<uint32_t>("the number of frames");
    in.need(uint64_t(frames) * n * sizeof(Pose), "the frames");
    scene.frames.resize(frames);
    for (auto& poses : scene.frames)
      for (uint32_t i = 0; i < n; i++) poses.push_back(in.take<Pose>("a pose"));
    const auto race = Library::bodies(scene, args.method, args.query == "pairs");
    head();
    for (size_t i = 0; i < frames && i < args.warm + args.frames; i++) frame(*race, scene.frames[i], i, i >= args.warm);
  } else {
    const uint32_t n = in.take<uint32_t>("the number of boxes");
    in.need(uint64_t(n) * sizeof(MovingBox), "the boxes");
    std::vector<MovingBox> moving;
    std::vector<Box> boxes;
    for (uint32_t i = 0; i < n; i++) {
      moving.push_back(in.take<MovingBox>("a box"));
      boxes.push_back(moving.back().box());
    }
    const auto race = Library::boxes(boxes, args.method);
    head();
    for (size_t i = 0; i < args.warm + args.frames; i++) {
      frame(*race, boxes, i, i >= args.warm);
      for (uint32_t k = 0; k < n; k++) {
        moving[k].advance();
        boxes[k] = moving[k].box();
      }
    }
  }
  if (std::fflush(stdout) != 0) fail("cannot write the results");
  return 0;
}

}  // namespace bench::many
