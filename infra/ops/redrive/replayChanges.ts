import type { DynamoDBRecord } from 'aws-lambda';
import { accountOf } from '../../../lib/webhooks/events/change.ts';
import { failuresIn } from '../../local/queue/batchFailures.ts';
import type { GivenUp } from './givenUp.ts';
import type { RedriveJob } from './redriveJob.ts';

/** A batch of changes that was given up. */
interface Batch {
  /** The event as JSON. */
  payload: string;
  records: DynamoDBRecord[];
  accounts: string[];
  /** When, after how many tries, and why. */
  fate: string;
}

/**
 * Hands changes that were given up to their function once more, the oldest first. A document is removed when the function
 * is done with all of it; what it had done before it does not do again.
 */
export async function replayChanges({ changes, fanOut }: GivenUp, job: RedriveJob): Promise<void> {
  const { account, dryRun, tally } = job;
  for (const name of await changes.names()) {
    const batch = readBatch(await changes.read(name));
    // Of what cannot be read nobody knows whose it is.
    if (account !== undefined && !batch?.accounts.includes(account)) continue;
    if (dryRun && batch) console.error(`${name}: ${describe(batch)}`);
    const problem = await whyNot(batch, fanOut, dryRun);
    if (problem !== undefined) {
      tally.stay(name, problem);
      continue;
    }
    if (!dryRun) await changes.remove(name);
    tally.again += 1;
  }
}

/**
 * Reads what Lambda keeps of a batch that it gave up; in a bucket, and only there, with the whole event.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
function readBatch(text: string): Batch | undefined {
  try {
    const { timestamp, requestContext, payload: kept } = JSON.parse(text);
    // Whether it is JSON within JSON, as in the records of other sources, or an object, AWS says nowhere.
    const payload = typeof kept === 'string' ? kept : JSON.stringify(kept);
    const { condition, approximateInvokeCount: tries } = requestContext;
    const { Records: records } = JSON.parse(payload) as { Records: DynamoDBRecord[] };
    const accounts = [...new Set(records.map(accountOf))];
    return {
      payload,
      records,
      accounts,
      fate: `given up at ${timestamp} after ${tries} tries (${condition})`,
    };
  } catch {
    return undefined;
  }
}

/** Whose and when and why, and nothing of what was changed. */
const describe = ({ records, accounts, fate }: Batch): string =>
  `${records.length} ${records.length === 1 ? 'change' : 'changes'} of ${accounts.join(', ')}, ${fate}`;

/** @returns why the function is not done with all of a batch; undefined when it is, or was not asked */
async function whyNot(
  batch: Batch | undefined,
  fanOut: GivenUp['fanOut'],
  dryRun: boolean,
): Promise<string | undefined> {
  if (!batch) return 'it is no batch of changes that Lambda has kept';
  if (dryRun) return undefined;
  const { payload, records } = batch;
  try {
    const ids = records.map(({ dynamodb }) => dynamodb?.SequenceNumber as string);
    const failed = failuresIn(await fanOut(payload), ids);
    if (failed?.size === 0) return undefined;
    return `of its ${records.length} changes ${failed?.size ?? 'some'} failed again, for now`;
  } catch (error) {
    return `it failed again: ${(error as Error).message}`;
  }
}
