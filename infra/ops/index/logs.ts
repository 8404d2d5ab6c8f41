import { env, required } from '../../../lib/env.ts';
import { indexPositions } from '../../../lib/webhooks/log/indexDeliveries.ts';
import type { Subscription } from '../../../lib/webhooks/model/subscription.ts';
import { firstLogged } from '../../../lib/webhooks/model/subscription.ts';
import { scan } from '../scan.ts';

/** How many deliveries are in memory at once; one can have 15 KB. */
const deliveriesAtOnce = 200;

/** How long a part of a log is tried again while others write the same items. */
const limitMs = 30_000;

export interface IndexedLogs {
  logs: number;
  deliveries: number;
  /** How many deliveries others did not let it write. */
  left: number;
  complete: boolean;
}

interface LogRef extends Pick<Subscription, 'id' | 'log_count' | 'log_days'> {
  account: string;
}

/** Writes the sets of all deliveries that can be read, of an account or of all, as indexDeliveries does. */
export async function indexLogs(account: string | undefined, stopped: AbortSignal): Promise<IndexedLogs> {
  const done = { logs: 0, deliveries: 0, left: 0 };
  for (const { account: owner, id, ...log } of await logsOf(account, stopped)) {
    for (let from = firstLogged(log); from < log.log_count && !stopped.aborted; from += deliveriesAtOnce) {
      const size = Math.min(deliveriesAtOnce, log.log_count - from);
      const positions = new Set(Array.from({ length: size }, (_, i) => from + i));
      done.left += (await indexPositions(owner, id, positions, Date.now() + limitMs)).size;
      done.deliveries += size;
    }
    done.logs += 1;
  }
  return { ...done, complete: !stopped.aborted };
}

/** The logs of subscriptions, also of deleted ones. All are found by reading the whole Webhooks table. */
async function logsOf(account: string | undefined, stopped: AbortSignal): Promise<LogRef[]> {
  const logs: LogRef[] = [];
  const filter = {
    FilterExpression: `attribute_exists(log_count)${account === undefined ? '' : ' AND begins_with(pk, :account)'}`,
    ...(account === undefined ? {} : { ExpressionAttributeValues: { ':account': `${account}#` } }),
  };
  await scan({ table: required(env.webhooksTable), filter, onRead: () => {}, stopped }, async (items) => {
    for (const { pk, ...log } of items)
      logs.push({ ...(log as unknown as LogRef), account: String(pk).split('#')[0] as string });
  });
  return logs;
}
