// Queries with points and rays to one mesh: ../../contract/src/points.rs in C++.
#pragma once
#include "runner.h"

#include <ctime>
#include <limits>

namespace bench::points {

enum class Kind : uint32_t { closest, first, inside };
using Six = std::array<double, 6>;

struct Questions {
  std::string name;
  Kind kind;
  std::vector<Six> asked;
};

struct File {
  Mesh mesh;
  std::vector<Questions> sets;
};

inline File read(const std::string& path) {
  Reader in(path);
  for (char c : {'I', 'M', 'P', 'P', 'O', 'I', 'N', 'T'})
    if (in.take<char>("the magic number") != c) in.bad("not a file of point queries");
  if (in.take<uint32_t>("the version") != 1) in.bad("not version 1");
  File file{read_mesh(in), {}};
  for (uint32_t left = in.take<uint32_t>("the number of sets"); left > 0; left--) {
    Questions set;
    const uint32_t length = in.take<uint32_t>("the length of a name");
    in.need(length, "a name");
    for (uint32_t i = 0; i < length; i++) set.name += in.take<char>("a name");
    const uint32_t kind = in.take<uint32_t>("a kind");
    if (kind > 2) in.bad("there is no such query kind");
    set.kind = Kind(kind);
    const uint32_t count = in.take<uint32_t>("the number of queries");
    in.need(uint64_t(count) * sizeof(Six), "the questions");
    for (uint32_t i = 0; i < count; i++) set.asked.push_back(in.take<Six>("a question"));
    file.sets.push_back(std::move(set));
  }
  return file;
}

/// Nanoseconds of processor time of the process.
inline double spent() {
  timespec now;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) fail("no clock of the process");
  return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

}  // namespace bench::points
