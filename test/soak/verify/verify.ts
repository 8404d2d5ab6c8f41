import { setTimeout as sleep } from 'node:timers/promises';
import type { Programs } from '../programs.ts';
import { outstandingOf } from '../report/reporter.ts';
import { outstandingInLog, verifyCopy, verifyLog, verifyReceiver } from './copies.ts';
import { verifyFilters, verifyList } from './lists.ts';

/** When nothing new has come for so long, the rest is lost: longer than a message stays invisible, and than the third delay of a delivery. */
const limitMs = 360_000;

const pauseMs = 500;

/** Waits until nothing is outstanding any more, or no more comes. @param outstanding how much has yet to come */
async function awaitAll(outstanding: () => number | Promise<number>): Promise<void> {
  let [seen, last] = [await outstanding(), Date.now()];
  while (seen > 0 && Date.now() - last < limitMs) {
    await sleep(pauseMs);
    const left = await outstanding();
    if (left !== seen) last = Date.now();
    seen = left;
  }
}

/**
 * Verifies id by id what a soak has left, after its last request. Violations go to the accounts.
 * @param print gets each step
 */
export async function verify(programs: Programs, print: (line: string) => void): Promise<void> {
  const { accounts, followers, subscribers, consumer } = programs;
  print('Verifying the lists …');
  for (const account of accounts) await verifyList(account);
  print('Waiting for the feeds, for the webhooks and for the outbox …');
  for (const [i, { records }] of accounts.entries()) await followers[i]?.catchUp(records.changes, limitMs);
  await awaitAll(() => outstandingOf(subscribers));
  await awaitAll(() => consumer.outstanding());
  // A receiver knows of its answer before the log does.
  for (const subscriber of subscribers) await awaitAll(() => outstandingInLog(subscriber));
  print('Verifying the copies, the filters, the webhooks and the outbox …');
  for (const [i, account] of accounts.entries()) if (followers[i]) verifyCopy(account, followers[i].copy);
  for (const account of accounts) await verifyFilters(account);
  consumer.verify();
  for (const subscriber of subscribers) {
    verifyReceiver(subscriber);
    await verifyLog(subscriber);
  }
}
