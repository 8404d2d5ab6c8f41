import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Connection } from '../../../infra/ops/connection.ts';
import { createRecord } from '../../../lib/records/create/create.ts';
import { listRecords } from '../../../lib/records/list.ts';
import { byProduct } from '../../../lib/records/origin.ts';
import { blankContact } from '../../../lib/resources/contacts/fields.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import { givenAccount } from '../../support/data/given.ts';
import { median, timed } from '../report/statistics.ts';

/** Latencies of an account, in milliseconds, while other work runs. */
export interface LatencyUnderLoad {
  list: number[];
  create: number[];
  /** From the message on the inbox to the record in a list. */
  inbox: number[];
}

const everyMs = 1000;

/** Uses the store and the inbox, in an account of its own, until `work` is done. */
export async function measureUnderLoad(
  work: Promise<unknown>,
  connection: Connection,
): Promise<LatencyUnderLoad> {
  const account = givenAccount();
  const latencies: LatencyUnderLoad = { list: [], create: [], inbox: [] };
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  const total = async () => (await listRecords(contacts, account, { limit: 25, offset: 0 })).pagination.total;
  const options = () => ({ deadline: Date.now() + 9000, origin: byProduct });
  while (!done) {
    latencies.create.push(
      (
        await timed(() =>
          createRecord(contacts, account, { ...blankContact, email: 'a@example.com' }, options()),
        )
      ).ms,
    );
    latencies.list.push((await timed(total)).ms);
    latencies.inbox.push((await timed(() => throughInbox(account, connection, total))).ms);
    await Promise.race([sleep(everyMs), ended]);
  }
  await ended;
  return latencies;
}

async function throughInbox(
  account: string,
  { inbox }: Connection,
  total: () => Promise<number>,
): Promise<void> {
  const { sqs, recordsInboxUrl } = inbox();
  const before = await total();
  const record = { external_id: `inbox-${before}` };
  const MessageBody = JSON.stringify({ account, resource: 'contacts', record });
  await sqs.send(new SendMessageCommand({ QueueUrl: recordsInboxUrl, MessageBody }));
  while ((await total()) === before) await sleep(20);
}

/** The medians and the maxima as text. */
export const inWords = ({ list, create, inbox }: LatencyUnderLoad): string =>
  [
    ['a list', list],
    ['a create', create],
    ['a message from the inbox to the list', inbox],
  ]
    .map(([name, times]) => {
      const ms = times as number[];
      return `${name} took ${Math.round(median(ms))} ms (at most ${Math.round(Math.max(...ms))})`;
    })
    .join(', ');
