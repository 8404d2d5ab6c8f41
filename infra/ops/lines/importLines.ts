import { namesIn, type Said } from '../../../lib/inbox/message.ts';
import { collectionOf } from '../../../lib/inbox/resources.ts';
import { deleteStated } from '../../../lib/records/deletion/deleteStated.ts';
import { byProduct } from '../../../lib/records/origin.ts';
import type { Entry, UpsertResult } from '../../../lib/records/upsert/entry.ts';
import { entriesMax, upsertMany } from '../../../lib/records/upsert/upsert.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { checkedLines } from './checkedLines.ts';
import type { LineJob } from './lineCommand.ts';
import type { Line } from './lines.ts';

/** The outcomes of a line that is not refused, with their labels in the summary. */
export const importOutcomes = {
  created: 'created',
  updated: 'updated',
  unchanged: 'unchanged',
  deleted: 'deleted',
  outdated: 'older than what is there',
} satisfies Record<Exclude<UpsertResult<Stored>['kind'], 'refused'> | 'deleted', string>;

type Job = LineJob<keyof typeof importOutcomes>;

type Pending = Line & { said: Said };

/**
 * Imports every line of a stream, in order, and reports the outcome of each. While the database works on a batch, the
 * lines of the next batch are read and checked.
 */
export async function importLines(
  job: Pick<Job, 'resource' | 'account' | 'chunks' | 'report' | 'pace'>,
): Promise<void> {
  let pending: Pending[] = [];
  let names = new Set<string>();
  let writing = Promise.resolve();
  // Only one batch is written at a time: a later batch must find the records of an earlier one, and memory must stay
  // flat.
  const write = async () => {
    await writing;
    writing = writeBatch(job, pending);
    // The next `await` of this promise throws its error. Until then Node must not report an unhandled rejection.
    writing.catch(() => {});
    pending = [];
    names = new Set();
  };
  try {
    for await (const { line, said } of checkedLines(job.resource, job.chunks, job.report)) {
      const own = namesIn(said);
      // A second line about the same record has to find what the first one made.
      if (own.some((name) => names.has(name)) || pending.length === entriesMax) await write();
      pending.push({ ...line, said });
      for (const name of own) names.add(name);
    }
    await write();
  } finally {
    await writing;
  }
}

async function writeBatch(
  { resource, account, report, pace }: Pick<Job, 'resource' | 'account' | 'report' | 'pace'>,
  lines: readonly Pending[],
): Promise<void> {
  const collection = collectionOf(resource);
  const stated = lines.filter(({ said }) => said.entry !== undefined);
  const [results] = await Promise.all([
    upsertMany(
      collection,
      account,
      stated.map(({ said }) => said.entry as Entry<Stored>),
    ),
    ...lines.map(async ({ said: { deletion }, ...line }) => {
      if (!deletion) return;
      const options = { origin: byProduct, deadline: Date.now() + deletionMs };
      const result = await deleteStated(collection, account, deletion, options);
      if (result.kind === 'refused') report.refused(line, result.reason);
      else report.done(line, result.kind as Exclude<typeof result.kind, 'waiting'>);
    }),
  ]);
  for (const [i, line] of stated.entries()) {
    const result = results[i];
    if (result?.kind === 'refused') report.refused(line, result.reason);
    else if (result) {
      report.done(line, result.kind);
      if (result.kind !== 'outdated') report.met(result);
    }
  }
  const last = results.findLast((result) => 'record' in result);
  if (last) await pace.follow(async () => last.record);
}

/** Longer than others are at the same items. */
const deletionMs = 60_000;
