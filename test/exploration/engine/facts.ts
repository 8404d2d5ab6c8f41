import { type Actor, currentActor } from './actor.ts';
import { presentWorld } from './world.ts';

// What a run has to know beside the items of lib: it is stored as items are, so it is a part of the state.

const table = 'facts';

export const note = (pk: string, value: unknown = true): void =>
  presentWorld().tables.set(table, { pk }, { pk, value });

export const noted = (pk: string): unknown => presentWorld().tables.get(table, { pk })?.value;

/** Something that an actor does outside of lib, in one moment, as soon as it can. */
export const act = (label: string, perform: () => unknown, isEnabled?: () => boolean): Promise<unknown> =>
  (currentActor() as Actor).send({ label, writes: [], perform, ...(isEnabled ? { isEnabled } : {}) });

/** Waits until something is so. It costs no time. */
export const until = (label: string, isEnabled: () => boolean): Promise<unknown> =>
  (currentActor() as Actor).send({ label, writes: [], isEnabled, perform: () => ({}) });
