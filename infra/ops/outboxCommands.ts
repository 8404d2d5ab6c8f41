import type { OutboxMessage } from '../../lib/contract/outboxContract.ts';
import { presentMessageOf } from '../../lib/outbox/outboxMessage.ts';
import { sendMessages } from '../../lib/outbox/sendMessages.ts';
import { resourceTypes } from '../../lib/resources/index.ts';
import { OpsCommand } from '../terminal/command.ts';
import { OpsError } from '../terminal/opsError.ts';
import { countOf } from '../terminal/output.ts';
import { Progress } from '../terminal/progress.ts';
import { stopSignal } from '../terminal/stopSignal.ts';
import { type AccountTarget, connect, targetOptions } from './connection.ts';
import { parseAccount } from './optionValues.ts';
import { countPositions, recordItems } from './recordItems.ts';

// npm run ops -- outbox replay --account A

export const program = new OpsCommand('outbox').description(
  'The outbox, from which the product learns what has changed here',
);

targetOptions(program.command('replay'))
  .description(
    'Send the present state of every record of an account to the outbox again. It can run beside live traffic, and can be run again safely',
  )
  .requiredOption('--account <account>', 'the account', parseAccount)
  .action(replay);

async function replay({ account, json, ...target }: AccountTarget): Promise<void> {
  const connection = await connect(target);
  connection.useOutbox();
  const stopped = stopSignal();
  const total = await countPositions(account, resourceTypes);
  if (total === 0) throw new OpsError(`The account ${account} has no records. Check its name.`);
  const progress = new Progress('records', total);
  try {
    for (const type of resourceTypes)
      for await (const items of recordItems(account, type)) {
        if (stopped.aborted) throw new OpsError('It was stopped: not all records were sent. Run it again.');
        await sendAll(items.map((item) => presentMessageOf({ account, type }, item)));
        progress.advance(items.length);
      }
  } finally {
    progress.end();
  }
  const { count: sent } = progress;
  if (json) console.log(JSON.stringify({ sent }));
  else console.log(`${countOf(sent, 'record')} ${sent === 1 ? 'was' : 'were'} sent to the outbox.`);
}

/** @throws OpsError if the queue does not accept all messages */
async function sendAll(messages: readonly OutboxMessage[]): Promise<void> {
  let count = 0;
  await sendMessages(messages, (taken) => {
    count += taken.length;
  });
  if (count < messages.length)
    throw new OpsError('The outbox did not take all messages; the log above has the reason. Run it again.');
}
