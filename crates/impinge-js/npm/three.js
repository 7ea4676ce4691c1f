// Meshes, bodies and scenes of three.js objects. It reads fields of geometries and objects, and so imports no
// version of three.js.
import { Body, Mesh, Model, Scene } from "./index.js";

// The triangles of a BufferGeometry, in its own frame. Morph targets and skinning do not count.
export function meshOf(geometry) {
  const { position } = geometry.attributes;
  if (!position) throw new TypeError("the geometry has no positions");
  const points = new Float64Array(3 * position.count);
  for (let i = 0; i < position.count; i++) {
    points[3 * i] = position.getX(i);
    points[3 * i + 1] = position.getY(i);
    points[3 * i + 2] = position.getZ(i);
  }
  return geometry.index ? new Mesh(points, geometry.index.array) : new Mesh(points);
}

const models = new WeakMap();

// The model of a BufferGeometry. It is made again after `needsUpdate` of its positions or indices.
export function modelOf(geometry, quality) {
  const { position } = geometry.attributes;
  const version = [position, position?.version, position?.data?.version, geometry.index, geometry.index?.version];
  const known = models.get(geometry);
  const isCurrent = known?.version.every((part, k) => part === version[k]);
  if (isCurrent && known.quality === quality) return known.model;
  const mesh = meshOf(geometry);
  const model = new Model(mesh, quality);
  mesh.free();
  models.set(geometry, { version, quality, model });
  return model;
}

// The numbers of an object's world matrix, which may scale, shear or mirror.
export function poseOf(object) {
  object.updateWorldMatrix(true, false);
  return object.matrixWorld.elements;
}

// The body of a Mesh of three.js where it is now.
export function bodyOf(object, quality) {
  return new Body(modelOf(object.geometry, quality), poseOf(object), true);
}

// The poses of the instances of an InstancedMesh in the world, 12 numbers each, for `intersectsAt` and others
// with `affine`.
export function posesOf(instanced) {
  const [world, poses] = [poseOf(instanced), new Float64Array(12 * instanced.count)];
  const local = instanced.instanceMatrix.array;
  for (let i = 0; i < instanced.count; i++) {
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 4; column++) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += world[4 * k + row] * local[16 * i + 4 * column + k];
        poses[12 * i + 4 * row + column] = sum;
      }
    }
  }
  return poses;
}

// All meshes below an object of three.js, and their contacts.
export class ObjectScene {
  #scene = new Scene();
  #objects = new Map();

  constructor(root) {
    root?.traverse((object) => {
      if (object.isMesh && !object.isInstancedMesh) this.add(object);
    });
  }

  // Adds a mesh of three.js.
  add(object, quality) {
    this.#objects.set(this.#scene.add(modelOf(object.geometry, quality), poseOf(object), true), object);
  }

  // Finds the objects that meet where they are now. Each contact has their fields `objects` and `began`, and with
  // the detail "triangles" also `pairs`.
  update(detail) {
    for (const [body, object] of this.#objects) this.#scene.setPose(body, poseOf(object), true);
    this.#scene.update(detail);
    const objects = (bodies) => bodies.map((body) => this.#objects.get(body));
    return this.#scene.contacts().map(({ bodies, ...rest }) => ({ objects: objects(bodies), ...rest }));
  }

  free() {
    this.#scene.free();
  }
}
