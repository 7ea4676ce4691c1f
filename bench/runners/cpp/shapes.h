// Queries of two shapes: ../../contract/src/shapes.rs in C++. A runner is an engine class passed to `run`.
#pragma once
#include "points.h"

namespace bench::shapes {

enum class Kind : uint32_t { sphere, capsule, hull, mesh };

struct Shape {
  Kind kind;
  double radius, height;
  Mesh mesh;
};

struct File {
  std::string name;
  double margin;
  std::vector<Shape> shapes;
  std::vector<std::array<Pose, 2>> frames;
};

inline File read(const std::string& path) {
  Reader in(path);
  for (char c : {'I', 'M', 'P', 'S', 'H', 'A', 'P', 'E'})
    if (in.take<char>("the magic number") != c) in.bad("not a file of shapes");
  if (in.take<uint32_t>("the version") != 1) in.bad("not version 1");
  File file;
  const uint32_t length = in.take<uint32_t>("the length of the name");
  in.need(length, "the name");
  for (uint32_t i = 0; i < length; i++) file.name += in.take<char>("the name");
  file.margin = in.take<double>("the margin");
  for (int k = 0; k < 2; k++) {
    const uint32_t kind = in.take<uint32_t>("a kind");
    if (kind > 3) in.bad("there is no such kind of shapes");
    const double radius = in.take<double>("a radius"), height = in.take<double>("a height");
    file.shapes.push_back({Kind(kind), radius, height, read_mesh(in)});
  }
  const uint32_t count = in.take<uint32_t>("the number of frames");
  in.need(uint64_t(count) * 2 * sizeof(Pose), "the frames");
  for (uint32_t i = 0; i < count; i++) {
    std::array<Pose, 2> both;
    for (auto& pose : both) pose = in.take<Pose>("a pose");
    file.frames.push_back(both);
  }
  if (!in.done()) in.bad("bytes are left over after the last frame");
  return file;
}

/// `RUNNER FILE PASSES RESULTS [WAY]`. An engine has: name, version, notes, an `Engine(File, way)` that
/// builds its shapes and converts the poses, and `bool first(k)`, `double distance(k)` and `bool within(k)`.
/// `has_within` is false if it has no such query.
template <class Engine>
int run(int argc, char** argv) {
  if (argc != 4 && argc != 5) fail("usage: RUNNER FILE PASSES RESULTS [WAY]");
  const File file = read(argv[1]);
  const size_t passes = std::max(1ul, number(argv[2], "PASSES")), frames = file.frames.size();
  Engine engine(file, argc == 5 ? argv[4] : "");
  const std::string name = engine.name(), version = engine.version(), notes = engine.notes();
  std::printf("#engine\t%s\n#version\t%s\n#notes\t%s\n", name.c_str(), version.c_str(), notes.c_str());
  std::ofstream out(argv[3], std::ios::binary);
  std::vector<double> answers(frames);
  const auto time = [&](const char* name, auto&& ask) {
    std::vector<double> spans;
    for (size_t pass = 0; pass <= passes; pass++) {
      const double start = points::spent();
      for (size_t k = 0; k < frames; k++) answers[k] = ask(k);
      if (pass > 0) spans.push_back(points::spent() - start);
    }
    std::sort(spans.begin(), spans.end());
    std::printf("%s\t%.1f\n", name, spans[passes / 2] / double(frames));
    for (const double answer : answers)
      for (int end = 0; end < 2; end++) out.write(reinterpret_cast<const char*>(&answer), sizeof answer);
  };
  time("first contact", [&](size_t k) { return double(engine.first(k)); });
  time("distance", [&](size_t k) { return engine.distance(k); });
  if constexpr (Engine::has_within) time("within", [&](size_t k) { return double(engine.within(k)); });
  else std::printf("within\t-\n");
  out.close();
  if (!out || std::fflush(stdout) != 0) fail("cannot write the results");
  return 0;
}

}  // namespace bench::shapes
