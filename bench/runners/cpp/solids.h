// Pairs of solids, and points to be located in solids: ../../contract/src/pairs.rs describes the files.
#pragma once
#include "runner.h"

#include <CGAL/version.h>

#include <ctime>

namespace bench::solids {

struct Piece {
  bool added;
  Mesh mesh;
};

struct Solid {
  bool manifold;
  Mesh mesh;
  std::vector<Piece> pieces;
  Pose pose;
};

struct PairOfSolids {
  std::string name;
  std::array<Solid, 2> bodies;
};

struct Points {
  std::string name;
  Mesh mesh;
  std::vector<Point> points;
};

inline std::string read_name(Reader& in) {
  const uint32_t n = in.take<uint32_t>("a name");
  in.need(n, "a name");
  std::string name;
  for (uint32_t i = 0; i < n; i++) name += in.take<char>("a name");
  return name;
}

inline uint32_t read_head(Reader& in, const std::string& magic) {
  for (char c : magic)
    if (in.take<char>("the magic number") != c) in.bad("does not begin with " + magic);
  if (in.take<uint32_t>("the version") != 1) in.bad("not of version 1");
  return in.take<uint32_t>("the count");
}

inline Solid read_solid(Reader& in) {
  Solid body;
  body.manifold = in.take<uint32_t>("a body") == 1;
  body.mesh = read_mesh(in);
  const uint32_t n = in.take<uint32_t>("the number of pieces");
  for (uint32_t i = 0; i < n; i++) {
    const bool added = in.take<uint32_t>("a piece") == 1;
    body.pieces.push_back({added, read_mesh(in)});
  }
  body.pose = in.take<Pose>("a pose");
  return body;
}

inline std::vector<PairOfSolids> read_pairs(const std::string& path) {
  Reader in(path);
  const uint32_t n = read_head(in, "IMPPAIRS");
  std::vector<PairOfSolids> pairs;
  for (uint32_t i = 0; i < n; i++) {
    std::string name = read_name(in);
    Solid a = read_solid(in);
    pairs.push_back({std::move(name), {std::move(a), read_solid(in)}});
  }
  if (!in.done()) in.bad("bytes are left over");
  return pairs;
}

inline std::vector<Points> read_points(const std::string& path) {
  Reader in(path);
  const uint32_t n = read_head(in, "IMPPOINT");
  std::vector<Points> sets;
  for (uint32_t i = 0; i < n; i++) {
    Points set{read_name(in), read_mesh(in), {}};
    const uint32_t count = in.take<uint32_t>("the number of points");
    in.need(uint64_t(count) * 24, "the points");
    for (uint32_t k = 0; k < count; k++) set.points.push_back(in.take<Point>("a point"));
    sets.push_back(std::move(set));
  }
  if (!in.done()) in.bad("bytes are left over");
  return sets;
}

/// Merges equal corners.
inline Mesh merged(const Mesh& mesh) {
  std::map<Point, uint32_t> known;
  Mesh out;
  for (const auto& t : mesh.triangles) {
    std::array<uint32_t, 3> corners;
    for (int k = 0; k < 3; k++) {
      Point p = mesh.points[t[k]];
      for (double& x : p) x += 0.0;
      const auto [at, is_new] = known.try_emplace(p, uint32_t(out.points.size()));
      if (is_new) out.points.push_back(p);
      corners[k] = at->second;
    }
    out.triangles.push_back(corners);
  }
  return out;
}

/// A mesh of CGAL's; its points are made by `place`, and its triangles are reversed if `turned`.
template <class SurfaceMesh, class Place>
SurfaceMesh surface(const Mesh& mesh, bool turned, const Place& place) {
  SurfaceMesh out;
  std::vector<typename SurfaceMesh::Vertex_index> vertices;
  for (const Point& p : mesh.points) vertices.push_back(out.add_vertex(place(p)));
  for (const auto& t : mesh.triangles) {
    const auto face = out.add_face(vertices[t[0]], vertices[t[turned ? 2 : 1]], vertices[t[turned ? 1 : 2]]);
    if (face == SurfaceMesh::null_face()) throw std::runtime_error("CGAL refuses the mesh");
  }
  return out;
}

/// Microseconds of processor time of the process.
inline double spent() {
  timespec now;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) fail("no clock of the process");
  return double(now.tv_sec) * 1e6 + double(now.tv_nsec) / 1e3;
}

inline void print_head(const char* engine) {
  std::printf("#engine\t%s\n#version\t%s\n#flags\tg++ %s %s\n", engine, CGAL_VERSION_STR, __VERSION__,
              BENCH_FLAGS);
}

/// The message of an exception, on one line.
inline std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\t') c = ' ';
  return text.substr(0, 160);
}

}  // namespace bench::solids
