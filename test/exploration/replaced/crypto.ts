import { createHash } from 'node:crypto';
import { currentActor } from '../engine/actor.ts';

// node:crypto with random values that depend only on the actor and on how many it has drawn: so a run can be repeated exactly.

export * from 'node:crypto';

let drawnBeside = 0;

export function randomBytes(size: number): Buffer {
  const actor = currentActor();
  const source = actor ? `${actor.name} ${actor.drawn++}` : `nobody ${drawnBeside++}`;
  const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, i) =>
    createHash('sha256').update(`${source} ${i}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, size);
}

export const randomUUID = (): string => randomBytes(18).toString('hex');

export const randomInt = (end: number): number => randomBytes(4).readUInt32BE() % end;
