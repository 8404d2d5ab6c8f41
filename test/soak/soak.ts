import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../infra/ops/connection.ts';
import { BothSides } from '../product/support/bothSides.ts';
import { Random } from '../simulation/random.ts';
import { givenKey } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { windowsOf } from './faults.ts';
import { Ledger, pollMs } from './ledger.ts';
import type { Stage } from './stage.ts';

export interface Load {
  contacts: number;
  edits: number;
  /** Edits in a second; without it, as many as the stack bears. */
  perSecond?: number;
  /** How often the product or the stack is killed, in turns. */
  kills: number;
  /** For about how long calls meet faults, in milliseconds. */
  faultyMs: number;
  seed: number;
  /** Ends the edits; what was done until then is verified. */
  signal?: AbortSignal;
}

/** How many edit at once. */
const editors = 6;

/** A round in which nothing has got better for so long has lost something, in milliseconds. */
const retryForMs = 20 * 60_000;

/**
 * Edits the same contacts from both sides at once, with messages repeated, late and in any order, kills and faults. Afterwards both
 * databases are equal, no edit is gone but by the rule, and each version of each record was in the feed once, and at the receiver.
 * @returns what is wrong, and requests that failed without a fault
 */
export async function soak(stage: Stage, load: Load): Promise<{ wrong: string[]; unexplained: string[] }> {
  await connect({ data: stage.folder });
  const { account } = stage.product;
  const { text: key } = await givenKey(account);
  const unexplained: string[] = [];
  const both = new BothSides({
    random: new Random(load.seed),
    url: () => stage.url,
    key,
    account,
    database: stage.product.database,
    failed: (what, from) => {
      if (!stage.explains(from)) unexplained.push(what);
    },
  });
  const ledger = new Ledger(both, new Random(load.seed + 1));
  const following = new AbortController();
  try {
    await ledger.open();
    await both.begin(load.contacts);
    if (load.faultyMs > 0) stage.meetFaults(windowsOf(new Random(load.seed + 2), load.faultyMs));
    const followed = ledger.follow(following.signal);
    await editAll(both, stage, load);
    following.abort();
    await followed;
    const left = await untilNone(async () => [...(await both.differences()), ...(await ledger.missing())]);
    console.log({ ...both.counts, ...ledger.counts, ...stage.counts });
    return { wrong: [...left, ...(await both.wrong()), ...ledger.wrong], unexplained };
  } finally {
    ledger.close();
  }
}

/** Makes the edits. The last tenth begins when both sides have become equal after a kill or a fault. */
async function editAll(both: BothSides, stage: Stage, load: Load): Promise<void> {
  const { edits, kills, perSecond, signal } = load;
  const killAt = new Map(
    Array.from({ length: kills }, (_, i) => [
      Math.floor((0.8 * edits * (i + 1)) / (kills + 1)),
      i % 2 === 0 ? stage.killProduct : stage.killStack,
    ]),
  );
  const begin = Date.now();
  const edit = (from: number, to: number) =>
    inPool(editors, [...Array(to).keys()].slice(from), async (nth) => {
      if (signal?.aborted) return;
      if (perSecond) await sleep(Math.max(0, begin + (1000 * nth) / perSecond - Date.now()));
      const kill = killAt.get(nth)?.();
      await both.edit();
      await kill;
    });
  await edit(0, Math.floor(0.9 * edits));
  await untilNone(() => both.differences());
  await edit(Math.floor(0.9 * edits), edits);
}

/** Waits until nothing is found any more. @returns what is still found when that has not changed for long */
async function untilNone(find: () => Promise<string[]>): Promise<string[]> {
  let [found, changedAt] = [await find(), Date.now()];
  while (found.length > 0 && Date.now() - changedAt < retryForMs) {
    await sleep(pollMs);
    const now = await find();
    if (now.length !== found.length) changedAt = Date.now();
    found = now;
  }
  return found;
}
