// Races impinge's WebAssembly against three-mesh-bvh in Node: `node race.mjs PACKAGES [--quick]`. PACKAGES is a folder
// with impinge-compat, three and three-mesh-bvh installed. Writes bench/records/js, and with --quick nothing.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const quick = process.argv.includes("--quick");
const packages = path.resolve(process.argv[2]);
const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(path.join(packages, "package.json"));
const from = (name) => import(pathToFileURL(require.resolve(name)));
const inPackages = (file) => import(pathToFileURL(path.join(packages, "node_modules", file)));
const version = (name) => JSON.parse(fs.readFileSync(path.join(packages, "node_modules", name, "package.json"))).version;
const impinge = await inPackages("impinge-compat/index.js");
const { meshOf } = await inPackages("impinge-compat/three.js");
const THREE = await inPackages("three/build/three.module.js");
const { MeshBVH } = await inPackages("three-mesh-bvh/src/index.js");
const { PLYLoader } = await inPackages("three/examples/jsm/loaders/PLYLoader.js");
const { mergeVertices } = await inPackages("three/examples/jsm/utils/BufferGeometryUtils.js");

const [FRAMES, QUESTIONS, PASSES] = quick ? [10, 200, 2] : [60, 2000, 5];
const data = process.env.IMPINGE_DATA ?? path.join(root, "../shared/data");

// Numbers from 0 to 1 that are the same in every run.
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

function knot(...segments) {
  return new THREE.TorusKnotGeometry(1, 0.4, ...segments);
}
function terrain(n) {
  const geometry = new THREE.PlaneGeometry(6, 6, n, n);
  const { position } = geometry.attributes;
  for (let i = 0; i < position.count; i++) {
    position.setZ(i, 0.3 * Math.sin(3 * position.getX(i)) * Math.cos(2 * position.getY(i)));
  }
  return geometry;
}
function model(file) {
  const bytes = fs.readFileSync(path.join(data, file));
  const geometry = new PLYLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  for (const name of Object.keys(geometry.attributes)) if (name !== "position") geometry.deleteAttribute(name);
  geometry.center();
  geometry.computeBoundingSphere();
  const size = 1.4 / geometry.boundingSphere.radius;
  return mergeVertices(geometry.scale(size, size, size), 0);
}
const SCENES = {
  "two knots, 13k triangles each": () => [knot(200, 32), knot(200, 32), 1.6],
  "two knots, 102k triangles each": () => [knot(800, 64), knot(800, 64), 1.6],
  "a sphere on a terrain of 80k triangles": () => [terrain(200), new THREE.SphereGeometry(0.5, 32, 24), 1],
  "a bunny of 69k triangles and a knot": () => [model("m_stanford_bunny_35947.ply"), knot(200, 32), 1.6],
};

const least = (list) => Math.min(...list);

// Microseconds of each of many calls: the mean over calls of the least over passes, after a pass without a clock.
function time(count, call) {
  for (let i = 0; i < count; i++) call(i);
  const passes = Array.from({ length: count }, () => []);
  for (let pass = 0; pass < PASSES; pass++) {
    for (let i = 0; i < count; i++) {
      const begin = process.hrtime.bigint();
      call(i);
      passes[i].push(Number(process.hrtime.bigint() - begin) / 1000);
    }
  }
  return passes.reduce((sum, list) => sum + least(list), 0) / count;
}
// The same, where one call does all.
function timeOfAll(count, call) {
  call();
  const passes = Array.from({ length: PASSES }, () => {
    const begin = process.hrtime.bigint();
    call();
    return Number(process.hrtime.bigint() - begin) / 1000;
  });
  return least(passes) / count;
}

const rows = { Times: [], Results: [] };
const head = {
  Times: ["scene", "query", "impinge", "impinge, in one call", "three-mesh-bvh", "ratio"],
  Results: ["scene", "query", "results", "three-mesh-bvh missed", "three-mesh-bvh invented"],
};
const three = (x) => x.toPrecision(3).replace(/e.*/, "") && String(Number(x.toPrecision(3)));
function record(scene, query, ours, inOne, theirs) {
  rows.Times.push([scene, query, three(ours), inOne ? three(inOne) : "-", three(theirs), three(theirs / ours)]);
  console.error(rows.Times.at(-1).join("\t"));
}

for (const [scene, make] of Object.entries(SCENES)) {
  const [geometryA, geometryB, reach] = make();
  // Builds change the order of triangles, so ours are of the same order.
  const build = (geometry) => (geometry.boundsTree = new MeshBVH(geometry));
  const theirBuild = timeOfAll(1, () => [geometryA, geometryB].forEach((one) => build(one.clone())));
  const [bvhA, bvhB] = [build(geometryA), build(geometryB)];
  const meshes = [meshOf(geometryA), meshOf(geometryB)];
  let models = [];
  const ourBuild = timeOfAll(1, () => {
    models.forEach((one) => one.free());
    models = meshes.map((mesh) => new impinge.Model(mesh));
  });
  record(scene, "both trees", ourBuild, undefined, theirBuild);

  const next = random(59);
  const poses = Array.from({ length: FRAMES }, () => {
    const turn = new THREE.Quaternion().setFromEuler(new THREE.Euler(...[0, 0, 0].map(() => 6.28 * next())));
    const away = new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(2 * reach);
    return new THREE.Matrix4().compose(away, turn, new THREE.Vector3(1, 1, 1));
  });
  const [a, b] = models.map((one) => new impinge.Body(one));
  const flat = Float64Array.from(poses.flatMap(({ elements: m }) => [0, 1, 2].flatMap((r) => [m[r], m[4 + r], m[8 + r], m[12 + r]])));
  const at = (i) => b.setPose(poses[i].elements);

  const ours = [];
  const ourPairs = time(FRAMES, (i) => {
    at(i);
    ours[i] = impinge.pairs(a, b);
  });
  const inOne = timeOfAll(FRAMES, () => impinge.pairsAt(a, models[1], flat));
  const theirs = [];
  const theirPairs = time(FRAMES, (i) => {
    const found = [];
    bvhA.bvhcast(bvhB, poses[i], {
      intersectsTriangles(one, other, k, l) {
        if (one.intersectsTriangle(other)) found.push(k, l);
        return false;
      },
    });
    theirs[i] = found;
  });
  record(scene, "all pairs", ourPairs, inOne, theirPairs);
  const counts = [0, 0, 0];
  poses.forEach((_, i) => {
    const keys = (list) => new Set(Array.from({ length: list.length / 2 }, (_, k) => list[2 * k] * 2 ** 26 + list[2 * k + 1]));
    const [mine, other] = [keys(ours[i]), keys(theirs[i])];
    counts[0] += mine.size;
    for (const key of mine) counts[1] += !other.has(key);
    for (const key of other) counts[2] += !mine.has(key);
  });
  rows.Results.push([scene, "all pairs", ...counts.map(String)]);

  const meets = [[], []];
  const ourFirst = time(FRAMES, (i) => {
    at(i);
    meets[0][i] = impinge.intersects(a, b);
  });
  const ourFirstInOne = timeOfAll(FRAMES, () => impinge.intersectsAt(a, models[1], flat));
  const theirFirst = time(FRAMES, (i) => (meets[1][i] = bvhA.intersectsGeometry(geometryB, poses[i])));
  record(scene, "first contact", ourFirst, ourFirstInOne, theirFirst);
  const wrong = [meets[0].filter((is, i) => is && !meets[1][i]).length, meets[0].filter((is, i) => !is && meets[1][i]).length];
  rows.Results.push([scene, "first contact", String(meets[0].filter(Boolean).length), ...wrong.map(String)]);

  const points = Array.from({ length: QUESTIONS }, () => new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(4));
  const flatPoints = Float64Array.from(points.flatMap((point) => point.toArray()));
  const found = {};
  const ourNearest = time(QUESTIONS, (i) => impinge.closestPoint(a, flatPoints.subarray(3 * i, 3 * i + 3)));
  const nearestInOne = timeOfAll(QUESTIONS, () => impinge.closestPoints(a, flatPoints));
  const theirNearest = time(QUESTIONS, (i) => bvhA.closestPointToPoint(points[i], found));
  record(scene, "closest point", ourNearest, nearestInOne, theirNearest);

  const directions = points.map((point) => new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).sub(point));
  const flatDirections = Float64Array.from(directions.flatMap((direction) => direction.toArray()));
  const rays = points.map((point, i) => new THREE.Ray(point, directions[i].clone().normalize()));
  const hits = [[], []];
  const part = (list, i) => list.subarray(3 * i, 3 * i + 3);
  const ourRays = time(QUESTIONS, (i) => {
    hits[0][i] = impinge.rayFirst(a, part(flatPoints, i), part(flatDirections, i));
  });
  const raysInOne = timeOfAll(QUESTIONS, () => impinge.rayFirstEach(a, flatPoints, flatDirections));
  const theirRays = time(QUESTIONS, (i) => (hits[1][i] = bvhA.raycastFirst(rays[i], THREE.DoubleSide)));
  record(scene, "first hit of a ray", ourRays, raysInOne, theirRays);
  const missed = hits[0].filter((hit, i) => hit && !hits[1][i]).length;
  const invented = hits[0].filter((hit, i) => !hit && hits[1][i]).length;
  rows.Results.push([scene, "first hit of a ray", String(hits[0].filter(Boolean).length), String(missed), String(invented)]);
}

const queries = [...new Set(rows.Times.map((row) => row[1]))];
const means = queries.map((query) => {
  const ratios = rows.Times.filter((row) => row[1] === query).map((row) => Number(row[5]));
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  return [query, three(mean), three(Math.min(...ratios)), three(Math.max(...ratios))];
});
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const cpu = fs.readFileSync("/proc/cpuinfo", "utf8");
const field = (name) => new RegExp(`^${name}\\s*: (.*)$`, "m").exec(cpu)[1];
const loads = os.loadavg().map((load) => load.toFixed(2));
const about = [
  ["command", "node bench/js/race.mjs PACKAGES"],
  ["method", `${FRAMES} poses, ${QUESTIONS} points and rays; microseconds a query, mean over queries of the least of ${PASSES} passes after one that is not timed. ratio: three-mesh-bvh over impinge, a call each. Load at the end: ${loads.join(", ")}.`],
  ["date", `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`],
  ["revision", git("rev-parse", "HEAD")],
  ["Model name", field("model name")],
  ["CPU family", field("cpu family")],
  ["Model", field("model")],
];
const engines = [
  ["impinge", `this tree, WebAssembly with ${impinge.simdLevel()}`],
  ["three-mesh-bvh", `${version("three-mesh-bvh")}, three ${version("three")}`],
  ["node", process.version.slice(1)],
];
const table = (name, head, rows) => [`#table\t${name}`, head.join("\t"), ...rows.map((row) => row.join("\t")), ""].join("\n");
const text = [
  table("about", ["key", "value"], about),
  table("Engines", ["engine", "version"], engines),
  table("Means", ["query", "x ours, geometric mean", "least", "most"], means),
  table("Times", head.Times, rows.Times),
  table("Results", head.Results, rows.Results),
].join("\n");
if (quick) console.log(text);
else {
  fs.mkdirSync(path.join(root, "bench/records/js"), { recursive: true });
  fs.writeFileSync(path.join(root, "bench/records/js/results.tsv"), text);
}
