import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { DeleteMessageBatchCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { sqsClient } from '../../../infra/local/queue/queues.ts';
import type { OutboxMessage } from '../../../lib/outbox/message.ts';
import {
  removeFolder,
  type StackProcess,
  startStackProcess,
  temporaryFolder,
} from '../../support/stack/stackProcess.ts';
import { openClient } from '../load/httpClient.ts';
import { contactAt } from '../load/manyContacts.ts';
import { paced } from '../load/pacedLoad.ts';
import { interleaved } from '../report/interleaved.ts';
import { type Report, rounded } from '../report/report.ts';
import { median, quantile } from '../report/statistics.ts';
import { drive } from './requests.ts';

const connections = 16;
const rounds = 6;
const measuredMs = 4000;

/** Of a second: what the stack does without requests. */
const idleMs = 150;

const quiet = { perSecond: 10, seconds: 20 };

const preload = pathToFileURL(join(import.meta.dirname, 'withoutOutbox.ts')).href;

/** How soon a change is in the outbox, and how many creates and updates there are in a second with an outbox and without one. */
export async function outbox(withOutbox: StackProcess): Promise<Report> {
  const folder = temporaryFolder();
  const without = await startStackProcess(folder, { node: ['--import', preload] });
  try {
    const stacks = [await subjectOf(without), await subjectOf(withOutbox)] as const;
    const [, subject] = stacks;
    const reader = readOutbox(withOutbox.description.recordsOutboxUrl);
    await paced(quiet, subject.update);
    await sleep(2000);
    const late = (await reader.stop()).splice(0);
    const raw = [];
    for (const name of ['create', 'update'] as const) {
      const [off = [], on = []] = await interleaved(2, rounds, (i) =>
        measured(stacks[i] as typeof subject, name),
      );
      for (const figure of ['perSecond', 'cpuMs'] as const) {
        const [without, withIt] = [off, on].map((all) => median(all.map((one) => one[figure]))) as [
          number,
          number,
        ];
        raw.push({ name: `${name}s: ${names[figure]}`, without, with: withIt });
      }
    }
    for (const { close } of stacks) close();
    return {
      title: 'The outbox',
      columns: ['What', 'Without', 'With', 'With : without'],
      rows: [
        ...raw.map((one) => [
          one.name,
          rounded(one.without),
          rounded(one.with),
          rounded(one.with / one.without),
        ]),
        [
          'from a change to its message, p50 / p99 ms',
          '',
          `${rounded(quantile(late, 0.5))} / ${rounded(quantile(late, 0.99))}`,
          '',
        ],
        ['changes without a message', '', quiet.perSecond * quiet.seconds - late.length, ''],
      ],
      raw: { late, raw },
    };
  } finally {
    await without.stop();
    removeFolder(folder);
  }
}

/** Creates and updates of clients, in the demo account. */
async function subjectOf({ ready, process: { pid } }: StackProcess) {
  const client = openClient(ready.url, ready.keys.full as string, connections);
  const headers = { 'X-Api-Key': ready.keys.full as string };
  const answer = await fetch(`${ready.url}/contacts?limit=100`, { headers });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  const { external_id: _, ...body } = contactAt(0);
  let nth = 0;
  return {
    pid: pid as number,
    create: () => client.send('POST', '/contacts', body),
    update: () =>
      client.send('PATCH', `/contacts/${data[nth % data.length]?.id}`, { note: `changed ${nth++} times` }),
    close: () => client.close(),
  };
}

const names = { perSecond: 'a second', cpuMs: 'CPU ms for each' };

/** What one turn does in a second, and how much of a processor its requests take with all that follows from them. */
async function measured(subject: Awaited<ReturnType<typeof subjectOf>>, name: 'create' | 'update') {
  const before = await idle(subject.pid);
  let count = 0;
  const { perSecond } = await drive(connections, measuredMs, async () => {
    await subject[name]();
    count += 1;
  });
  return { perSecond, cpuMs: ((await idle(subject.pid)) - before) / count };
}

/** Waits until a process does next to nothing. @returns the time of processors that it has had, in milliseconds */
async function idle(pid: number): Promise<number> {
  for (let before = cpuMsOf(pid); ; ) {
    await sleep(1000);
    const now = cpuMsOf(pid);
    if (now - before < idleMs) return now;
    before = now;
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: utime and stime, in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Reads an outbox until it is stopped. @returns how late the message of each change was, in milliseconds */
function readOutbox(QueueUrl: string): { stop(): Promise<number[]> } {
  const client = sqsClient(new URL(QueueUrl).origin);
  const late = new Map<string, number>();
  let isEnd = false;
  const read = async () => {
    while (!isEnd) {
      const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 });
      const { Messages = [] } = await client.send(receive);
      for (const { Body = '' } of Messages) {
        const { id, timestamp } = JSON.parse(Body) as OutboxMessage;
        if (!late.has(id)) late.set(id, Date.now() - Date.parse(timestamp));
      }
      if (Messages.length === 0) continue;
      const Entries = Messages.map(({ ReceiptHandle }, i) => ({ Id: `${i}`, ReceiptHandle }));
      await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
    client.destroy();
  };
  const done = read();
  return {
    stop: async () => {
      isEnd = true;
      await done;
      return [...late.values()];
    },
  };
}
