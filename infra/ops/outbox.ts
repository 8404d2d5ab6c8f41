import { setTimeout as sleep } from 'node:timers/promises';
import { type OutboxMessage, stateMessageOf } from '../../lib/outbox/message.ts';
import { sendMessages } from '../../lib/outbox/sendMessages.ts';
import { forProduct } from '../../lib/records/change.ts';
import { isDeleted, mergedInto } from '../../lib/records/deletion/tombstone.ts';
import { readCount } from '../../lib/records/head.ts';
import { toRecord } from '../../lib/records/item.ts';
import { recordsOf } from '../../lib/records/list.ts';
import { originIn } from '../../lib/records/origin.ts';
import { completeRange, readRange } from '../../lib/records/range.ts';
import { collectionOf } from '../../lib/resources/collections.ts';
import { type ResourceType, resourceTypes } from '../../lib/resources/index.ts';
import { OpsCommand } from '../terminal/command.ts';
import { OpsError } from '../terminal/opsError.ts';
import { countOf } from '../terminal/output.ts';
import { Progress } from '../terminal/progressBar.ts';
import { stopSignal } from '../terminal/stopSignal.ts';
import { connect, type Target, targetOptions } from './connection.ts';
import { parseAccount } from './values.ts';

// npm run ops -- outbox replay --account A

interface Options extends Target {
  account: string;
  json?: boolean;
}

export const program = new OpsCommand('outbox').description(
  'The outbox, from which the product learns what has changed here',
);

targetOptions(program.command('replay'))
  .description(
    'Send the present state of every record of an account to the outbox again. It can run beside live traffic, and can be run again safely',
  )
  .requiredOption('--account <account>', 'the account', parseAccount)
  .option('--json', 'print the count as JSON')
  .action(replay);

/** How many records are read at once: those of one block. */
const readAtOnce = 100;

async function replay({ account, json, ...target }: Options): Promise<void> {
  const connection = await connect(target);
  connection.useOutbox();
  const stopped = stopSignal();
  const counts = await Promise.all(resourceTypes.map((type) => readCount({ account, type })));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) throw new OpsError(`The account ${account} has no records. Check its name.`);
  const progress = new Progress('records', total);
  try {
    for (const [i, type] of resourceTypes.entries())
      for (let from = 0; from < (counts[i] as number) && !stopped.aborted; from += readAtOnce) {
        const messages = await messagesOf(
          account,
          type,
          from,
          Math.min(from + readAtOnce, counts[i] as number),
        );
        await sendAll(messages);
        progress.advance(messages.length);
      }
  } finally {
    progress.end();
  }
  const sent = progress.count;
  const complete = sent === total;
  if (json) console.log(JSON.stringify({ sent, complete }));
  else console.log(`${countOf(sent, 'record')} ${sent === 1 ? 'was' : 'were'} sent to the outbox.`);
  if (!complete) throw new OpsError(`It was stopped: ${total - sent} records were not sent. Run it again.`);
}

async function messagesOf(
  account: string,
  type: ResourceType,
  from: number,
  to: number,
): Promise<OutboxMessage[]> {
  const positions = recordsOf({ account, type });
  const items = await completeRange(positions, from, to, await readRange(positions, from, to));
  return items.map((item) =>
    stateMessageOf({
      account,
      type,
      after: toRecord(collectionOf(type), item),
      origin: originIn(item),
      ...forProduct(item),
      ...(isDeleted(item) ? { deletion: { mergedInto: mergedInto(item) } } : {}),
    }),
  );
}

const triesMax = 5;
const pauseMs = 1000;

/** @throws OpsError when the queue does not take all messages */
async function sendAll(messages: readonly OutboxMessage[]): Promise<void> {
  const left = new Set(messages);
  for (let tries = 1; left.size > 0; tries++) {
    if (tries > triesMax)
      throw new OpsError(
        'The outbox did not take all messages; the log above has the reason. Run it again later.',
      );
    if (tries > 1) await sleep(pauseMs * tries);
    await sendMessages([...left], (taken) => {
      for (const message of taken) left.delete(message);
    });
  }
}
