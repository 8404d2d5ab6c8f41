import { randomUUID } from 'node:crypto';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { handler as askRecords } from '../../../functions/askRecords.ts';
import { ingest } from '../../../lib/inbox/ingest.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import type { Database } from '../database.ts';
import { relay } from '../product.ts';
import type { Ask } from '../progress.ts';
import { type Message, take } from '../take.ts';

// The product and the API in one process, without queues between them.

const handler = asFunction('askRecords', askRecords);
export const ask: Ask = (question) => handler(question, lambdaContext());

/** Stores a message of the product. @throws Error when it is refused */
export async function send(message: object): Promise<void> {
  const failed = await ingest(
    [{ id: randomUUID(), body: JSON.stringify(message) }],
    Number.POSITIVE_INFINITY,
  );
  if (failed.length > 0) throw new Error(`refused: ${JSON.stringify(message)}`);
}

const inbox = {
  send: ({ input }: { input: { MessageBody: string } }) => send(JSON.parse(input.MessageBody)),
} as unknown as SQSClient;

const settings = { inbox: '', outbox: '', retrySeconds: 1 };

/** Sends what the product has changed, and takes what clients have. */
export async function sync(database: Database, account: string): Promise<void> {
  const waiting = () => database.transaction((run) => run('SELECT 1 FROM api_outbox'));
  for (let round = 0; round < 2; round++) {
    while ((await relay(database, settings, inbox)) > 0 || (await waiting()).length > 0);
    for (let from: number | null = 0; from !== null; ) {
      const { records, next } = await ask({ account, resource: 'contacts', from });
      for (const message of records as Message[]) await take(database, message, { ask });
      from = next;
    }
  }
}
