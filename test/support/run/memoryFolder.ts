import { statfsSync } from 'node:fs';

/** Linux keeps this folder in memory. */
const folder = '/dev/shm';

/** What a run needs, with much to spare: containers often have 64 MB there, and small machines half of their memory. */
const neededBytes = 8 * 1024 ** 3;

/** A folder in memory for temporary files; undefined where there is none, or too little memory. */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= neededBytes ? folder : undefined;
  } catch {
    return undefined;
  }
}
