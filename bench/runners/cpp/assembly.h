// Common code of the races of whole assemblies (see ../../README.md): the reader of OBJ files, the clock, the
// sweep over sorted boxes, the output. A runner is an engine class passed to `run`.
#pragma once
#include "runner.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace bench::assembly {

/// Processor time of this process, milliseconds.
inline double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/// A memory-mapped file.
class Mapped {
 public:
  explicit Mapped(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY);
    if (file < 0) fail(path + ": cannot be read: " + std::strerror(errno));
    struct stat about;
    if (fstat(file, &about) != 0) fail(path + ": cannot be read: " + std::strerror(errno));
    if (!S_ISREG(about.st_mode)) fail(path + ": cannot be read: no regular file");
    if (about.st_size == 0) fail(path + ": the file is empty");
    size_ = size_t(about.st_size);
    begin_ = static_cast<const char*>(mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0));
    if (begin_ == MAP_FAILED) fail(path + ": cannot be read: " + std::strerror(errno));
    close(file);
  }
  ~Mapped() { munmap(const_cast<char*>(begin_), size_); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  const char* begin() const { return begin_; }
  const char* end() const { return begin_ + size_; }

 private:
  const char* begin_;
  size_t size_;
};

/// All triangles of a file, in its order, and the part of each. `P` is the engine's own point type, so no
/// point has to be copied.
template <class P>
struct Assembly {
  std::vector<P> points;
  std::vector<std::array<uint32_t, 3>> triangles;
  std::vector<uint32_t> part;
  uint32_t parts = 0;

  /// The triangles of each part.
  std::vector<std::vector<uint32_t>> by_part() const {
    std::vector<uint32_t> count(parts);
    for (uint32_t p : part) count[p]++;
    std::vector<std::vector<uint32_t>> of(parts);
    for (uint32_t p = 0; p < parts; p++) of[p].reserve(count[p]);
    for (uint32_t i = 0; i < part.size(); i++) of[part[i]].push_back(i);
    return of;
  }
};

/// Reads an OBJ file: a part is a group (`g`) of an object (`o`) that has faces, polygons become fans, and
/// all other statements are skipped.
template <class P>
class Obj {
 public:
  static Assembly<P> read(const std::string& path) {
    const Mapped file(path);
    Obj obj(path);
    for (const char* line = file.begin(); line < file.end();) {
      const void* found = std::memchr(line, '\n', size_t(file.end() - line));
      const char* end = found ? static_cast<const char*>(found) : file.end();
      obj.line_++;
      obj.statement(line, end);
      line = end + 1;
    }
    if (obj.out_.triangles.empty()) fail(path + ": has no triangle");
    if (obj.most_ >= obj.out_.points.size())
      fail(path + ": a face names a vertex that the file does not have");
    return std::move(obj.out_);
  }

 private:
  explicit Obj(const std::string& path) : path_(path) {}
  [[noreturn]] void bad(const std::string& why) const {
    fail(path_ + ": line " + std::to_string(line_) + ": " + why);
  }
  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  static const char* skip(const char* at, const char* end) {
    while (at < end && blank(*at)) at++;
    return at;
  }

  void statement(const char* at, const char* end) {
    at = skip(at, end);
    if (end - at < 2) return;
    if (*at == 'v' && blank(at[1])) vertex(at + 2, end);
    else if (*at == 'f' && blank(at[1])) face(at + 2, end);
    else if (*at == 'o' && blank(at[1])) groups_.clear(), group_ = {}, known_ = false;
    else if (*at == 'g' && blank(at[1]))
      group_ = std::string_view(at + 2, size_t(end - at - 2)), known_ = false;
  }

  void vertex(const char* at, const char* end) {
    double x[3];
    for (double& one : x) {
      at = skip(at, end);
      if (at < end && *at == '+') at++;
      const auto [stop, error] = std::from_chars(at, end, one);
      if (error != std::errc() || !std::isfinite(one)) bad("not three numbers");
      at = stop;
    }
    out_.points.emplace_back(x[0], x[1], x[2]);
  }

  void face(const char* at, const char* end) {
    uint32_t first = 0, last = 0;
    for (int n = 0; (at = skip(at, end)) < end && *at != '#'; n++) {
      int64_t name = 0;
      const auto [stop, error] = std::from_chars(at, end, name);
      const int64_t index = name < 0 ? int64_t(out_.points.size()) + name : name - 1;
      if (error != std::errc() || index < 0 || index >= std::numeric_limits<uint32_t>::max())
        bad("not a corner of a face");
      most_ = std::max(most_, uint32_t(index));
      if (n >= 2) {
        out_.triangles.push_back({first, last, uint32_t(index)});
        out_.part.push_back(current());
      }
      (n == 0 ? first : last) = uint32_t(index);
      for (at = stop; at < end && !blank(*at);) at++;
    }
  }

  uint32_t current() {
    if (!known_) {
      const auto [entry, added] = groups_.emplace(group_, out_.parts);
      out_.parts += added;
      current_ = entry->second;
      known_ = true;
    }
    return current_;
  }

  Assembly<P> out_;
  const std::string& path_;
  size_t line_ = 0;
  /// The groups of the current object; their names are in the mapped file.
  std::unordered_map<std::string_view, uint32_t> groups_;
  std::string_view group_;
  bool known_ = false;
  uint32_t current_ = 0;
  /// The greatest vertex index of a face.
  uint32_t most_ = 0;
};

/// The box of a part.
struct Bounds {
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  std::array<double, 3> low{infinite, infinite, infinite}, high{-infinite, -infinite, -infinite};
  template <class P>
  void add(const P& point) {
    for (int k = 0; k < 3; k++) {
      low[k] = std::min(low[k], point[k]);
      high[k] = std::max(high[k], point[k]);
    }
  }
};

/// All pairs of boxes that meet, sorted along the first axis: for libraries without their own sweep.
template <class Each>
void sweep(const std::vector<Bounds>& boxes, Each each) {
  std::vector<uint32_t> order(boxes.size());
  for (uint32_t i = 0; i < order.size(); i++) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](uint32_t i, uint32_t j) { return boxes[i].low[0] < boxes[j].low[0]; });
  for (size_t m = 0; m < order.size(); m++) {
    const Bounds& a = boxes[order[m]];
    for (size_t n = m + 1; n < order.size() && boxes[order[n]].low[0] <= a.high[0]; n++) {
      const Bounds& b = boxes[order[n]];
      if (a.low[1] <= b.high[1] && b.low[1] <= a.high[1] && a.low[2] <= b.high[2] && b.low[2] <= a.high[2])
        each(order[m], order[n]);
    }
  }
}

/// Counts of an engine's result, and of skipped triangles.
struct Found {
  size_t clashing = 0;
  size_t triangle_pairs = 0;
  /// Degenerate triangles that the engine skips.
  size_t left_out = 0;
};

/// An engine has: Point, name(method), version(), notes(method), methods(), an `Engine(const
/// Assembly<Point>&)`, and `find(method)`; both are timed. It is destroyed after the clock has stopped, but
/// within the process.
template <class Engine>
int run(int argc, char** argv) {
  std::string path, method = Engine::methods().front();
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "--method" && i + 1 < argc) method = argv[++i];
    else if (path.empty() && word.compare(0, 2, "--") != 0) path = word;
    else fail("usage: RUNNER FILE [--method NAME]");
  }
  if (path.empty()) fail("usage: RUNNER FILE [--method NAME]");
  const auto methods = Engine::methods();
  if (std::find(methods.begin(), methods.end(), method) == methods.end())
    fail("there is no method `" + method + "`");

  const double begin = now();
  const auto assembly = Obj<typename Engine::Point>::read(path);
  const double read = now();
  Engine engine(assembly);
  const Found found = engine.find(method);
  const double end = now();
  std::printf("#engine\t%s\n#version\t%s\n", Engine::name(method).c_str(), Engine::version());
  std::printf("#flags\tg++ %s %s\n#notes\t%s\n", __VERSION__, BENCH_FLAGS, Engine::notes(method).c_str());
  std::printf("#parts\t%u\n#triangles\t%zu\n", assembly.parts, assembly.triangles.size());
  std::printf("#left_out\t%zu\n", found.left_out);
  std::printf("%zu\t%zu\t%.3f\t%.3f\n", found.clashing, found.triangle_pairs, read - begin, end - read);
  if (std::fflush(stdout) != 0) fail("cannot write the results");
  return 0;
}

}  // namespace bench::assembly
