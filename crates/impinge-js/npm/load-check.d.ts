import { CheckFile, CheckOptions, CheckPart, Curves, OnProgress, Report } from "./check-module.js";
import { Body } from "./query-module.js";

/**
 * Compares every pair of parts of an assembly. The first call loads a second module. The check itself blocks until
 * it is done: call it in a worker. Throws if a file is broken or a setting is wrong.
 */
export function check(
  inputs: Iterable<File | CheckFile | CheckPart>,
  options?: CheckOptions,
  onProgress?: OnProgress,
): Promise<Report>;

/**
 * The lines, points and plane parts in which the surfaces of two bodies meet. The first call loads the module of
 * checks; each call copies both meshes there, and builds their trees. Throws for a half-space, and for a body with
 * a radius.
 */
export function curves(a: Body, b: Body): Promise<Curves>;
