import { CheckFile, CheckOptions, CheckPart, OnProgress, Report } from "./check-module.js";

/**
 * Compares every pair of parts of an assembly. The first call loads a second module. The check itself blocks until
 * it is done: call it in a worker. Throws if a file is broken or a setting is wrong.
 */
export function check(
  inputs: Iterable<File | CheckFile | CheckPart>,
  options?: CheckOptions,
  onProgress?: OnProgress,
): Promise<Report>;
