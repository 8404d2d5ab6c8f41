import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageCommand,
  type Message as Received,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type Database, openDatabase } from './database.ts';
import { oursOf, take } from './take.ts';

// Sends what the product has changed to the inbox, and takes from the outbox what clients have changed. It can be killed at any time,
// and run many times at once.

export interface Settings {
  inbox: string;
  outbox: string;
  /** After how many seconds a message comes again that could not be taken. */
  retrySeconds: number;
}

/** After this many tries, a message is kept in a table for people, and the next ones go on. */
const triesMax = 3;

/** A relay that has not sent a row by then has died. Another one sends it. */
const claimMs = 10_000;

/** Relays and consumes until it is told to stop. */
export async function run(
  database: Database,
  settings: Settings,
  sqs: SQSClient,
  stop: AbortSignal,
): Promise<void> {
  const untilStopped = async (work: () => Promise<void>) => {
    while (!stop.aborted)
      try {
        await work();
      } catch (error) {
        if (stop.aborted) return;
        console.error(String(error));
        await sleep(1000);
      }
  };
  await Promise.all([
    untilStopped(() => relay(database, settings, sqs)),
    untilStopped(() => consume(database, settings, sqs, stop)),
  ]);
}

/** Sends the next rows. A row that the queue does not take holds up no other. */
async function relay(database: Database, { inbox }: Settings, sqs: SQSClient): Promise<void> {
  const claim = randomUUID();
  const rows = await database.transaction((run) =>
    run(
      `UPDATE api_outbox SET claim = $1, claimed_until = $2 WHERE claimed_until < $3 AND (resource, source_id) IN
         (SELECT resource, source_id FROM api_outbox WHERE claimed_until < $3 ORDER BY failures LIMIT 10)
       RETURNING resource, source_id, revision, gone`,
      claim,
      Date.now() + claimMs,
      Date.now(),
    ),
  );
  if (rows.length === 0) return sleep(200);
  await allOf(
    rows.map(async ({ resource, source_id, revision, gone }) => {
      const [row] = gone
        ? [{ revision, message: String(gone), account: JSON.parse(String(gone)).account }]
        : await stateOf(database, resource, source_id);
      if (row)
        await sqs.send(
          new SendMessageCommand({
            QueueUrl: inbox,
            MessageBody: row.message,
            MessageGroupId: String(row.account),
          }),
        );
      // A row that has changed meanwhile has another revision, and is sent again.
      await database.transaction((run) =>
        run(
          'DELETE FROM api_outbox WHERE resource = $1 AND source_id = $2 AND revision = $3',
          ...[resource, source_id, row?.revision ?? revision],
        ),
      );
    }),
  ).finally(() =>
    database.transaction((run) =>
      run('UPDATE api_outbox SET claimed_until = 0, failures = failures + 1 WHERE claim = $1', claim),
    ),
  );
}

/** The message about a row; none when it has been deleted since. It leaves out what is set aside, which stays as the client wrote it. */
async function stateOf(database: Database, resource: unknown, source_id: unknown) {
  const [row, aside] = await database.transaction(async (run) => {
    const [found] = await run(
      'SELECT account, revision, api_id, record FROM api_records WHERE resource = $1 AND source_id = $2',
      resource,
      source_id,
    );
    return [
      found,
      await run('SELECT field, ours FROM api_set_aside WHERE api_id = $1', found?.api_id ?? null),
    ] as const;
  });
  if (!row) return [];
  const { account, revision } = row;
  const record = JSON.parse(String(row.record));
  for (const { field, ours } of aside) {
    if (oursOf(row, String(field)) !== ours) continue;
    const [name, part] = String(field).split('.') as [string, string?];
    if (part !== undefined) delete record[name][part];
    if (part === undefined || Object.keys(record[name]).length === 0) delete record[name];
  }
  return [{ account, revision, message: JSON.stringify({ account, resource, record }) }];
}

/** Takes the next messages. One that is not deleted from the queue comes again. */
async function consume(
  database: Database,
  { outbox, retrySeconds }: Settings,
  sqs: SQSClient,
  abortSignal: AbortSignal,
): Promise<void> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: outbox,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 20,
      VisibilityTimeout: retrySeconds,
      MessageSystemAttributeNames: ['ApproximateReceiveCount'],
    }),
    { abortSignal },
  );
  await allOf(
    Messages.map(async (message) => {
      await takeOrKeep(database, message);
      await sqs.send(new DeleteMessageCommand({ QueueUrl: outbox, ReceiptHandle: message.ReceiptHandle }));
    }),
  );
}

async function takeOrKeep(database: Database, { MessageId, Body = '', Attributes }: Received): Promise<void> {
  try {
    await take(database, JSON.parse(Body));
  } catch (error) {
    if (Number(Attributes?.ApproximateReceiveCount) < triesMax) throw error;
    await database.transaction((run) =>
      run(
        'INSERT INTO api_untaken (id, message, reason) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        ...[MessageId, Body, String(error)],
      ),
    );
  }
}

/** Waits for all. @throws the first error */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(works);
  await Promise.all(works);
}

if (import.meta.main) {
  const { DATABASE = 'product.sqlite', INBOX_URL = '', OUTBOX_URL = '', RETRY_SECONDS = 60 } = process.env;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  const settings = { inbox: INBOX_URL, outbox: OUTBOX_URL, retrySeconds: Number(RETRY_SECONDS) };
  await run(await openDatabase(DATABASE), settings, new SQSClient(), stop.signal);
}
