import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';

// Sends what the product has changed to the inbox, and takes from the outbox what clients have changed. It can be killed at any time,
// and run many times at once. With PostgreSQL, the statements are the same, but for `SELECT api_take($1)`.

interface Pending {
  resource: string;
  source_id: number;
  revision: number;
  account: string;
  message: string;
}

const { DATABASE = 'product.sqlite', INBOX_URL, OUTBOX_URL } = process.env;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

const sqs = new SQSClient();
const database = new DatabaseSync(DATABASE, { timeout: 10_000 });
database.exec('PRAGMA journal_mode = WAL');
if (!database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'api_outbox'").get())
  database.exec(`BEGIN IMMEDIATE; ${readFileSync(new URL('sqlite.sql', import.meta.url), 'utf8')}; COMMIT;`);

const pending = database.prepare('SELECT * FROM api_pending ORDER BY failures LIMIT 10');
const sent = database.prepare('DELETE FROM api_outbox WHERE resource = ? AND source_id = ? AND revision = ?');
const failed = database.prepare(
  'UPDATE api_outbox SET failures = failures + 1 WHERE resource = ? AND source_id = ?',
);
const take = database.prepare('INSERT INTO api_received VALUES (?)');

/** A row that changes while it is sent has another revision then, and is sent again. */
async function send({ resource, source_id, revision, account, message }: Pending): Promise<void> {
  try {
    await sqs.send(
      new SendMessageCommand({ QueueUrl: INBOX_URL, MessageBody: message, MessageGroupId: account }),
    );
    sent.run(resource, source_id, revision);
  } catch (error) {
    failed.run(resource, source_id);
    throw error;
  }
}

/** Sends the next rows. A row that the queue does not take holds up no other. */
async function relay(): Promise<void> {
  const rows = pending.all() as unknown as Pending[];
  await allOf(rows.map(send));
  if (rows.length === 0) await sleep(200);
}

/** One statement, and so one transaction. A message that is not deleted comes again. */
async function receive({ Body = '', ReceiptHandle }: Message): Promise<void> {
  take.run(Body);
  await sqs.send(new DeleteMessageCommand({ QueueUrl: OUTBOX_URL, ReceiptHandle }));
}

/** Takes the next messages. */
async function consume(): Promise<void> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: OUTBOX_URL, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 }),
    { abortSignal: stop.signal },
  );
  await allOf(Messages.map(receive));
}

/** Waits for all. @throws the first error */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(works);
  await Promise.all(works);
}

async function untilStopped(work: () => Promise<void>): Promise<void> {
  while (!stop.signal.aborted)
    try {
      await work();
    } catch (error) {
      if (stop.signal.aborted) return;
      console.error(String(error));
      await sleep(1000);
    }
}

await Promise.all([untilStopped(relay), untilStopped(consume)]);
