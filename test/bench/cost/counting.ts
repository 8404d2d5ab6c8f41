import { handler as countRequests } from '../../../functions/pipeline/countRequests.ts';
import type { Work } from '../../../infra/ops/price/price.ts';
import { randomId } from '../../../lib/ids.ts';
import { givenAccount } from '../../support/data/given.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { accessLine, logsEvent } from '../../support/usage/logs.ts';
import { median, timed } from '../report/statistics.ts';
import { consumedBy } from './consumed.ts';

/** How many lines of the access log come in a batch, and of how many keys. How API Gateway fills its log streams is not known before the first deployment. */
const [linesOfBatch, keysOfBatch] = [5, 2];

/** How many of a hundred requests fail; the function of each writes a line that comes alone. */
const failing = 3;

const batches = 200;

/** What it takes to count requests: the average of a request. */
export async function countingCost(memoryMb: number): Promise<Work> {
  const account = givenAccount();
  const keys = Array.from({ length: 20 }, () => randomId('key'));
  const at = new Date();
  const ms: number[] = [];
  const count = async (lines: string[]) => {
    const event = logsEvent(lines, String(ms.length % 8));
    ms.push((await timed(() => countRequests(event, lambdaContext(60_000)))).ms);
  };
  // What is written once for each key and hour.
  await count(keys.map((key) => accessLine({ account, key, at })));
  ms.length = 0;
  let requests = 0;
  const { read, write } = await consumedBy(async () => {
    for (let i = 0; i < batches; i++) {
      const failures: string[] = [];
      const lines = Array.from({ length: linesOfBatch }, (_, nth) => {
        const key = keys[(i + (nth % keysOfBatch)) % keys.length] as string;
        requests += 1;
        if (requests % 100 >= failing) return accessLine({ account, key, at });
        const id = crypto.randomUUID();
        failures.push(failureLine(account, key, at, id));
        return accessLine({ account, key, at, status: 400, id });
      });
      await count(lines);
      for (const line of failures) await count([line]);
    }
  });
  const invocations = ms.length / requests;
  return {
    read: read / requests,
    write: write / requests,
    ms: median(ms) * invocations,
    memoryMb,
    invocations,
    sqsCalls: 0,
  };
}

/** The line of a function about a request that it answered with 400. */
const failureLine = (account: string, key: string, at: Date, id: string): string =>
  JSON.stringify({
    message: 'request',
    operation: 'listContacts',
    request_id: id,
    key_id: key,
    account,
    status: 400,
    duration_ms: 5,
    time_ms: at.getTime(),
    problems: [{ field: 'limit', message: 'must be an integer from 1 to 100' }],
  });
