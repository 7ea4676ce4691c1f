// The contract of all C++ runners: see ../../README.md. A runner is an engine class passed to `run`.
#pragma once
#include <malloc.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

using Point = std::array<double, 3>;
using Pair = std::pair<uint32_t, uint32_t>;
using Options = std::map<std::string, std::string>;

struct Mesh {
  std::vector<Point> points;
  std::vector<std::array<uint32_t, 3>> triangles;
};

/// x = R v + t, R row by row.
struct Pose {
  double r[9];
  double t[3];
  Point place(const Point& v) const {
    Point x;
    for (int i = 0; i < 3; i++) x[i] = r[3 * i] * v[0] + r[3 * i + 1] * v[1] + r[3 * i + 2] * v[2] + t[i];
    return x;
  }
};

struct Scene {
  Mesh a, b;
  std::vector<std::array<Pose, 2>> frames;
};

[[noreturn]] inline void fail(const std::string& why) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, why.c_str());
  std::exit(2);
}

/// Reads little-endian numbers; reports the position at which a truncated file ends.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) fail(path + ": cannot be read: " + std::strerror(errno));
    std::ostringstream all;
    all << in.rdbuf();
    bytes_ = all.str();
  }
  template <class T>
  T take(const char* what) {
    T value;
    need(sizeof value, what);
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  /// Checked before memory is reserved, as a damaged file may have any count.
  void need(uint64_t n, const char* what) const {
    if (n > bytes_.size() - at_) bad(std::string("ends within ") + what);
  }
  [[noreturn]] void bad(const std::string& why) const {
    fail(path_ + ": byte " + std::to_string(at_) + ": " + why);
  }
  bool done() const { return at_ == bytes_.size(); }

 private:
  std::string path_, bytes_;
  size_t at_ = 0;
};

inline Mesh read_mesh(Reader& in) {
  const uint32_t nv = in.take<uint32_t>("the number of vertices"), nt = in.take<uint32_t>("the number of triangles");
  in.need(uint64_t(nv) * 24 + uint64_t(nt) * 12, "a mesh");
  Mesh mesh;
  mesh.points.resize(nv);
  for (auto& p : mesh.points)
    for (auto& x : p) x = in.take<double>("a vertex");
  mesh.triangles.resize(nt);
  for (auto& t : mesh.triangles)
    for (auto& i : t) {
      i = in.take<uint32_t>("a triangle");
      if (i >= nv) in.bad("a triangle names vertex " + std::to_string(i) + " of " + std::to_string(nv));
    }
  return mesh;
}

inline Scene read_scene(const std::string& path) {
  Reader in(path);
  for (char c : {'I', 'M', 'P', 'S', 'C', 'E', 'N', 'E'})
    if (in.take<char>("the magic number") != c) in.bad("not a scene file: no IMPSCENE at its start");
  if (uint32_t v = in.take<uint32_t>("the version"); v != 1) in.bad("version " + std::to_string(v) + ", not 1");
  Scene scene;
  scene.a = read_mesh(in);
  scene.b = read_mesh(in);
  const uint32_t n = in.take<uint32_t>("the number of frames");
  in.need(uint64_t(n) * 2 * sizeof(Pose), "the frames");
  for (uint32_t i = 0; i < n; i++) {
    std::array<Pose, 2> both;
    for (auto& pose : both) pose = in.take<Pose>("a pose");
    scene.frames.push_back(both);
  }
  if (!in.done()) in.bad("bytes are left over after the last frame");
  return scene;
}

/// Bytes that the heap holds for the program.
inline int64_t heap_bytes() {
  const struct mallinfo2 m = mallinfo2();
  return int64_t(m.uordblks) + int64_t(m.hblkhd);
}

/// A digest independent of the order of the pairs: it compares frames without listing them.
inline uint64_t digest(const std::vector<Pair>& pairs) {
  uint64_t sum = 0;
  for (const auto& [i, j] : pairs) {  // the finaliser of splitmix64
    uint64_t z = (uint64_t(i) << 32 | j) + 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    sum += z ^ z >> 31;
  }
  return sum;
}

inline void print_pairs(std::vector<Pair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  for (const auto& [i, j] : pairs) std::printf("%u\t%u\n", i, j);
}

/// Cold caches: reads a buffer before each timed query, which evicts the data of the last query.
class Sweep {
 public:
  /// A buffer of zero bytes does nothing. Written with different values: untouched pages would all be one
  /// page of zeros, which evicts nothing.
  explicit Sweep(size_t bytes) : words_(bytes / 8) {
    for (size_t i = 0; i < words_.size(); i++) words_[i] = i;
  }
  /// Reads only: dirty lines would be written back while the clock runs.
  void run() const {
    uint64_t sum = 0;
    for (size_t i = 0; i < words_.size(); i += 8) sum += words_[i];  // 64 bytes a cache line
    asm volatile("" : : "r"(sum) : "memory");
  }

 private:
  std::vector<uint64_t> words_;
};

struct Arguments {
  std::string scene;
  /// `pairs`, `first`, `distance` or `within`.
  std::string query;
  /// For `pairs` and `first`: true if all pairs are needed.
  bool all = true;
  /// For `within`.
  double margin = -1;
  unsigned repeat = 5;
  /// Seconds after which no query begins; 0 sets no limit.
  double seconds = 0;
  /// Bytes to read before each timed query; 0 leaves the caches warm.
  size_t sweep = 0;
  std::vector<size_t> dump;
  Options options;
};

inline unsigned long number(const std::string& text, const std::string& name) {
  char* end;
  errno = 0;
  const unsigned long n = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || text[0] == '-' || *end || errno || n > 0xffffffff) fail(name + " must be a number, not `" + text + "`");
  return n;
}

inline double real(const std::string& text, const std::string& name) {
  char* end;
  const double x = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !(x >= 0 && x <= 1e300)) fail(name + " must be a number of at least 0, not `" + text + "`");
  return x;
}

/// `known` names the engine's own options, each with its default.
inline Arguments parse(int argc, char** argv, const Options& known) {
  Arguments out;
  out.options = known;
  for (int i = 1; i < argc; i++) {
    const std::string arg = argv[i];
    if (arg.rfind("--", 0) != 0) {
      if (!out.scene.empty()) fail("one scene file, not two: `" + arg + "`");
      out.scene = arg;
      continue;
    }
    if (++i == argc) fail(arg + " needs a value");
    const std::string value = argv[i];
    if (arg == "--query") out.query = value;
    else if (arg == "--margin") out.margin = real(value, arg);
    else if (arg == "--seconds") out.seconds = real(value, arg);
    else if (arg == "--repeat") out.repeat = number(value, arg);
    else if (arg == "--sweep") out.sweep = number(value, arg);
    else if (arg == "--dump") {
      std::istringstream in(value);
      for (std::string one; std::getline(in, one, ',');) out.dump.push_back(number(one, arg));
      if (out.dump.empty()) fail("--dump needs the number of a frame");
    } else if (known.count(arg.substr(2))) out.options[arg.substr(2)] = value;
    else fail("no such option: " + arg);
  }
  const bool of_pairs = out.query == "pairs" || out.query == "first", within = out.query == "within";
  if (out.scene.empty() || (!of_pairs && !within && out.query != "distance"))
    fail("usage: RUNNER SCENE --query pairs|first|distance|within [--margin M] [--repeat N] [--seconds S] "
         "[--sweep BYTES] [--dump FRAME[,FRAME...]]");
  if (within != (out.margin >= 0)) fail("--margin goes with --query within");
  if (!of_pairs && !out.dump.empty()) fail("--dump lists pairs: --query " + out.query + " has none");
  if (out.repeat == 0) fail("--repeat must be at least 1");
  out.all = out.query == "pairs";
  return out;
}

/// Result of a query in a frame.
struct Found {
  bool hit;
  size_t count;
  uint64_t digest;
};

// Optional methods of an engine.
template <class Engine, class = void>
struct HasDistance : std::false_type {};
template <class Engine>
struct HasDistance<Engine, std::void_t<decltype(std::declval<Engine&>().distance())>> : std::true_type {};
template <class Engine, class = void>
struct HasWithin : std::false_type {};
template <class Engine>
struct HasWithin<Engine, std::void_t<decltype(std::declval<Engine&>().within(0.0))>> : std::true_type {};

/// Microseconds by the wall clock. For distances, which are long enough for it, by the clock of the process,
/// which ignores other work on the machine but takes some tenths of a microsecond to read.
inline double microseconds(bool of_process) {
  if (!of_process) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::micro>(now).count();
  }
  timespec now;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) fail("no clock of the process");
  return double(now.tv_sec) * 1e6 + double(now.tv_nsec) / 1e3;
}

/// Times `ask()` in all frames, and prints the results of `tell()`.
template <class Engine, class Ask, class Tell>
void measure(Engine& engine, const Scene& scene, const Arguments& args, Ask ask, Tell tell) {
  const Sweep sweep(args.sweep);
  const bool of_process = args.query == "distance";
  struct Frame {
    std::vector<double> us;
    double first;
    Found found;
  };
  std::vector<Frame> frames;
  const double start = microseconds(false);
  bool late = false;
  // Whole passes, not one frame many times over, so that caches and branch predictors do not adapt to one
  // frame.
  for (unsigned pass = 0; pass <= args.repeat; pass++)
    for (size_t i = 0; i < scene.frames.size() && !late; i++) {
      engine.place(scene.frames[i]);
      sweep.run();
      const double begin = microseconds(of_process);
      ask();
      const double us = microseconds(of_process) - begin;
      if (pass == 0) frames.push_back({{}, us, tell()});
      else frames[i].us.push_back(us);
      late = args.seconds > 0 && microseconds(false) - start > args.seconds * 1e6;
    }
  for (size_t i = 0; i < frames.size(); i++) {
    auto& [us, first, found] = frames[i];
    // The time was up before a second pass.
    if (us.empty()) us.push_back(first);
    std::sort(us.begin(), us.end());
    const size_t half = us.size() / 2;
    const double median = us.size() % 2 ? us[half] : (us[half - 1] + us[half]) / 2;
    std::printf("%zu\t%.3f\t%d\t%zu\t%016llx\n", i, median, found.hit, found.count, (unsigned long long)found.digest);
  }
  if (std::fflush(stdout) != 0) fail("cannot write the results");
}

/// An engine has: name, version, notes (rounding, timed parts), options, an `Engine(Mesh, Mesh, Options)`
/// that builds both hierarchies, `copied()` = bytes of the vertices and indices that it keeps, `place(frame)`
/// outside the clock, `query(all, pairs)` inside: it clears `pairs` and, unless `all`, stops at one.
/// Optional: `distance()`, and `within(margin)`, true if the distance is at most that.
template <class Engine>
int run(int argc, char** argv) {
  const Arguments args = parse(argc, argv, Engine::options());
  if (args.query == "distance" && !HasDistance<Engine>::value) fail("has no --query distance");
  if (args.query == "within" && !HasWithin<Engine>::value) fail("has no --query within");
  const Scene scene = read_scene(args.scene);
  using clock = std::chrono::steady_clock;

  const int64_t before = heap_bytes();
  const auto start = clock::now();
  Engine engine(scene.a, scene.b, args.options);
  const double build_ms = std::chrono::duration<double, std::milli>(clock::now() - start).count();
  const int64_t held = heap_bytes() - before;
  std::vector<Pair> pairs;

  if (!args.dump.empty()) {
    for (size_t frame : args.dump) {
      if (frame >= scene.frames.size())
        fail("--dump " + std::to_string(frame) + ": the scene has " + std::to_string(scene.frames.size()) + " frames");
      engine.place(scene.frames[frame]);
      engine.query(args.all, pairs);
      if (args.dump.size() > 1) std::printf("#frame\t%zu\n", frame);
      print_pairs(pairs);
    }
    return 0;
  }

  std::printf("#engine\t%s\n#version\t%s\n#flags\tg++ %s %s\n", engine.name().c_str(), engine.version().c_str(), __VERSION__, BENCH_FLAGS);
  std::printf("#notes\t%s\n#build_ms\t%.3f\n#bytes\t%lld\n", engine.notes().c_str(), build_ms, (long long)(held - engine.copied()));
  if constexpr (HasDistance<Engine>::value) {
    if (args.query == "distance") {
      double distance = 0;
      measure(engine, scene, args, [&] { distance = engine.distance(); }, [&] {
        uint64_t bits;
        std::memcpy(&bits, &distance, sizeof bits);
        return Found{distance == 0, size_t(distance == 0), bits};
      });
      return 0;
    }
  }
  if constexpr (HasWithin<Engine>::value) {
    if (args.query == "within") {
      bool near = false;
      measure(engine, scene, args, [&] { near = engine.within(args.margin); },
              [&] { return Found{near, size_t(near), uint64_t(near)}; });
      return 0;
    }
  }
  measure(engine, scene, args, [&] { engine.query(args.all, pairs); }, [&] {
    return Found{!pairs.empty(), pairs.size(), args.all ? digest(pairs) : uint64_t(!pairs.empty())};
  });
  return 0;
}

}  // namespace bench
