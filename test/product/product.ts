import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageCommand,
  type Message as Received,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type Database, openDatabase, type Row } from './database.ts';
import { invoke } from './invoke.ts';
import { type Ask, checkProgress, RestoredFromBackup } from './progress.ts';
import { type Message, oursOf, take, tryAgain, UnknownAccount } from './take.ts';

// Sends what the product has changed to the inbox, and takes from the outbox what clients have changed. It can be killed at any time,
// and run many times at once.

export interface Settings {
  inbox: string;
  outbox: string;
  /** After how many seconds a message comes again that could not be taken. */
  retrySeconds: number;
  /** Asks the API how far it knows this database. Without it, nothing notices that one of the two was restored from a backup. */
  ask?: Ask | undefined;
}

/** After this many tries, a message is kept in a table for people, and the next ones go on. */
const triesMax = 3;

/** A relay that has not sent a row by then has died. Another one sends it. */
const claimMs = 10_000;

/** How often it is checked, while messages move, that neither side was restored from a backup. */
const checkMs = 10_000;

/** How often what was rejected, and what has failed, is tried again. */
const tryAgainMs = 600_000;

/** Relays and consumes until it is told to stop. @throws RestoredFromBackup, and then nothing is sent or taken */
export async function run(
  database: Database,
  settings: Settings,
  sqs: SQSClient,
  stopped: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([stopped, failed.signal]);
  const untilStopped = async (work: () => Promise<unknown>, isDone = () => false) => {
    while (!stop.aborted && !isDone())
      try {
        await work();
      } catch (error) {
        if (error instanceof RestoredFromBackup) {
          failed.abort();
          throw error;
        }
        if (stop.aborted) return;
        console.error(String(error));
        await sleep(1000);
      }
  };
  const { ask } = settings;
  let hasChecked = ask === undefined;
  const check = async () => {
    if (ask) await checkProgress(database, ask);
    hasChecked = true;
  };
  await untilStopped(check, () => hasChecked);
  const activity = { isNew: false };
  await allOf([
    untilStopped(async () => {
      activity.isNew = (await relay(database, settings, sqs)) > 0 || activity.isNew;
    }),
    untilStopped(async () => {
      activity.isNew = (await consume(database, settings, sqs, stop)) > 0 || activity.isNew;
    }),
    untilStopped(async () => {
      await sleep(checkMs, undefined, { signal: stop });
      if (!activity.isNew) return;
      activity.isNew = false;
      await check();
    }),
    untilStopped(async () => {
      await tryAgain(database, ask);
      await sleep(tryAgainMs, undefined, { signal: stop });
    }),
  ]);
}

/** Claims the next rows: $1 is the claim, $2 its end and $3 now, in epoch milliseconds. It reads these rows alone, however many wait. */
export const claimNext = (skipLocked: string): string =>
  `WITH next AS MATERIALIZED
     (SELECT resource, source_id FROM api_outbox WHERE claimed_until < $3 ORDER BY failures LIMIT 10 ${skipLocked})
   UPDATE api_outbox SET claim = $1, claimed_until = $2 WHERE (resource, source_id) IN (SELECT resource, source_id FROM next)
   RETURNING resource, source_id, revision, gone`;

/** Sends the next rows. A row that the queue does not take holds up no other. @returns how many rows there were */
export async function relay(database: Database, { inbox }: Settings, sqs: SQSClient): Promise<number> {
  await database.gather?.();
  const claim = randomUUID();
  const { skipLocked } = database;
  const rows = await database.transaction((run) =>
    run(claimNext(skipLocked), claim, Date.now() + claimMs, Date.now()),
  );
  if (rows.length === 0) {
    await sleep(200);
    return 0;
  }
  await allOf(
    rows.map(async ({ resource, source_id, revision, gone }) => {
      const { deleted, account } = gone ? JSON.parse(String(gone)) : {};
      const row = gone
        ? { account, revision, message: String(gone), mended: [] }
        : await stateOf(database, resource, source_id);
      if (row)
        await sqs.send(
          new SendMessageCommand({
            QueueUrl: inbox,
            MessageBody: row.message,
            MessageGroupId: String(row.account),
          }),
        );
      await database.transaction(async (run) => {
        // A row that was changed since then has another revision, and is sent again.
        await run(
          `DELETE FROM api_outbox WHERE (resource, source_id) IN (SELECT resource, source_id FROM api_outbox
             WHERE resource = $1 AND source_id = $2 AND revision <= $3 ${skipLocked})`,
          ...[resource, source_id, row?.revision ?? revision],
        );
        await run(
          'DELETE FROM api_refusals WHERE resource = $1 AND source_id = $2 AND revision < $3',
          ...[resource, String(deleted?.source_id ?? source_id), row?.revision ?? revision],
        );
        for (const { api_id, field, ours } of row?.mended ?? [])
          await run(
            'DELETE FROM api_rejected_values WHERE api_id = $1 AND field = $2 AND ours = $3',
            ...[api_id, field, ours],
          );
      });
    }),
  ).finally(() =>
    database.transaction((run) =>
      run(
        `UPDATE api_outbox SET claimed_until = 0, failures = failures + 1 WHERE (resource, source_id) IN
           (SELECT resource, source_id FROM api_outbox WHERE claim = $1 ${skipLocked})`,
        claim,
      ),
    ),
  );
  return rows.length;
}

/**
 * Returns the message about a row; undefined when it has been deleted since. It leaves out fields whose client's value our database has
 * rejected, unless the row was `mended`: it has another value than it had then.
 */
async function stateOf(database: Database, resource: unknown, source_id: unknown) {
  const [row, rejected] = await database.transaction(async (run) => {
    const [found] = await run(
      'SELECT account, revision, api_id, record FROM api_records WHERE resource = $1 AND source_id = $2',
      resource,
      source_id,
    );
    return [
      found,
      await run(
        'SELECT api_id, field, ours FROM api_rejected_values WHERE api_id = $1',
        found?.api_id ?? null,
      ),
    ] as const;
  });
  if (!row) return undefined;
  const { account, revision } = row;
  const record = JSON.parse(String(row.record));
  const mended: Row[] = [];
  for (const value of rejected) {
    if (oursOf(row, String(value.field)) !== value.ours) {
      mended.push(value);
      continue;
    }
    const [name, part] = String(value.field).split('.') as [string, string?];
    if (part !== undefined) delete record[name][part];
    if (part === undefined || Object.keys(record[name]).length === 0) delete record[name];
  }
  return { account, revision, message: JSON.stringify({ account, resource, record }), mended };
}

/** Takes the next messages. One that is not deleted from the queue comes again. @returns how many there were */
async function consume(
  database: Database,
  { outbox, retrySeconds, ask }: Settings,
  sqs: SQSClient,
  abortSignal: AbortSignal,
): Promise<number> {
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
  const takeOne = async (message: Received) => {
    await takeOrKeep(database, message, ask);
    await sqs.send(new DeleteMessageCommand({ QueueUrl: outbox, ReceiptHandle: message.ReceiptHandle }));
  };
  // Those of one record would only refuse each other.
  const byRecord = Map.groupBy(
    Messages,
    ({ Body = '' }) => /"resource":\{[^}]*?"id":"(\w+)"/.exec(Body)?.[1] ?? Body,
  );
  await allOf(
    [...byRecord.values()].map(async (messages) => {
      const failures: unknown[] = [];
      for (const message of messages) await takeOne(message).catch((error) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    }),
  );
  return Messages.length;
}

async function takeOrKeep(
  database: Database,
  { MessageId, Body = '', Attributes }: Received,
  ask: Ask | undefined,
): Promise<void> {
  let account: string | undefined;
  try {
    const message = JSON.parse(Body) as Message;
    account = message.account;
    await take(database, message, { ask });
  } catch (error) {
    if (Number(Attributes?.ApproximateReceiveCount) < triesMax || error instanceof UnknownAccount)
      throw error;
    await database.transaction((run) =>
      run(
        'INSERT INTO api_failed_messages (id, account, message, reason) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        ...[MessageId, account ?? null, Body, String(error)],
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
  const { ASK_RECORDS_FUNCTION } = process.env;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  const ask = ASK_RECORDS_FUNCTION ? (question: object) => invoke(ASK_RECORDS_FUNCTION, question) : undefined;
  const settings = { inbox: INBOX_URL, outbox: OUTBOX_URL, retrySeconds: Number(RETRY_SECONDS), ask };
  const database = await openDatabase(DATABASE);
  try {
    await run(database, settings, new SQSClient(), stop.signal);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
  await database.close();
}
