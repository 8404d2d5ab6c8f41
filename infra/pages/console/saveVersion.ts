import type { Problem } from './callProblem.ts';

export interface Change<Patch> {
  patch: Patch;
  version: number;
}

interface Ways<Thing> {
  write: () => Promise<Thing>;
  read: () => Promise<Thing>;
  /** Gets the newer version, when there is one. */
  found: (newer: Thing) => void;
}

const isIn = (thing: object, patch: object): boolean =>
  Object.entries(patch).every(
    ([field, value]) => JSON.stringify(thing[field as keyof typeof thing]) === JSON.stringify(value),
  );

/**
 * Changes one version of something. A newer version that is as the patch wants it counts as changed: the answer to an earlier try
 * was lost.
 * @throws Problem 412 when there is a newer version with other values
 */
export async function saveVersion<Thing extends object>(
  patch: object,
  { write, read, found }: Ways<Thing>,
): Promise<Thing> {
  try {
    return await write();
  } catch (problem) {
    if ((problem as Problem).status !== 412) throw problem;
    const newer = await read();
    if (isIn(newer, patch)) return newer;
    found(newer);
    throw problem;
  }
}
