// Compiles only if the types of the package are right.
import { BufferGeometry } from "three";
import { Body, Mesh, Model, RelationKind, Report, check, curves, distance, intersects, pairs, pairsAt, relation, trianglesIn } from "impinge";
import { modelOf } from "impinge/three";

const model: Model = new Model(Mesh.box(1, 2, 3), "fast");
const body = new Body(model, new Float32Array(16));
const list: Uint32Array = pairs(body, body);
const kind: RelationKind = relation(body, body).kind;
const lo: number | undefined = distance(body, body, { exact: true })?.lo;
const starts: Uint32Array = pairsAt(body, modelOf(new BufferGeometry()), new Float64Array(12)).starts;
const report: Promise<Report> = check([{ name: "a.stl", bytes: new Uint8Array(3) }], { clearance: 2 });
const floor: Body = Body.halfSpace([0, 0, 1], 0);
const [radius, free]: [number, boolean] = [Body.sphere(2, new Float64Array(16)).radius, intersects(body, floor)];
// @ts-expect-error: there is no such quality
new Model(Mesh.box(1, 2, 3), "best");
// @ts-expect-error: a model is no body
pairs(model, body);
const length: Promise<[number, number]> = curves(body, body).then((found) => found.length);
const inside: Uint32Array = trianglesIn(body, [0, 0, 1, 0], true);
console.log(length, inside, list, kind, lo, starts, report, radius, free);
