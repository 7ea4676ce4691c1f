import type { BufferGeometry, InstancedMesh, Mesh as ThreeMesh, Object3D } from "three";
import { Body, Mesh, Model, Quality } from "./index.js";

/** The triangles of a geometry, in its own frame. Morph targets and skinning do not count. */
export function meshOf(geometry: BufferGeometry): Mesh;
/** The model of a geometry. It is made again after `needsUpdate` of its positions or indices. */
export function modelOf(geometry: BufferGeometry, quality?: Quality): Model;
/** The 16 numbers of an object's world matrix, brought up to date. It may scale, shear or mirror. */
export function poseOf(object: Object3D): number[];
/** The body of a mesh of three.js where it is now. */
export function bodyOf(object: ThreeMesh, quality?: Quality): Body;
/** The poses of the instances in the world, 12 numbers each. Pass `affine` to the query that takes them. */
export function posesOf(instanced: InstancedMesh): Float64Array;

/** Two objects that meet. */
export interface ObjectContact {
  objects: [ThreeMesh, ThreeMesh];
  /** True if they did not meet at the update before. */
  began: boolean;
  /** Two triangles that meet. */
  witness?: [number, number];
  /** All pairs of triangles that meet, for the detail "triangles". */
  pairs?: Uint32Array;
}
/** All meshes below an object of three.js, and their contacts. */
export class ObjectScene {
  /** Adds all meshes below an object, but no instanced ones. */
  constructor(root?: Object3D);
  /** Adds a mesh. */
  add(object: ThreeMesh, quality?: Quality): void;
  /** Finds the objects that meet where they are now [default detail: "bodies"]. */
  update(detail?: "bodies" | "triangles"): ObjectContact[];
  free(): void;
}
