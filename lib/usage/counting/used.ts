import { crc32 } from 'node:zlib';
import { fewAtOnce } from '../../concurrency.ts';
import { absentOrBelow } from '../../dynamodb/expressions.ts';
import { usage } from '../../dynamodb/tables.ts';
import { writePut, writeUpdate } from '../../dynamodb/transact.ts';
import {
  dayOf,
  dayParts,
  daysPartition,
  hourOf,
  keysPartition,
  startOf,
  usageExpiryOf,
} from '../usageKeys.ts';
import type { AccessLine, RefusedLine } from './logLines.ts';

/** The items that this process has written. Another process writes them again. */
const written = new Set<string>();

/** How many names the set holds before it is emptied. It only saves writes. */
const writtenMax = 50_000;

/**
 * Records on which day each key was used, in which hour its secrets, and which keys were refused because they have ended. Call it before
 * counting, so that every counted key can be found.
 */
export async function noteUsed(lines: readonly (AccessLine | RefusedLine)[]): Promise<void> {
  const notes = new Map<string, () => Promise<unknown>>();
  for (const line of lines) {
    const { account, key, at } = line;
    const [day, hour] = [dayOf(at), hourOf(at)];
    notes.set(`${day} ${account} ${key}`, () => noteDay(day, account, key));
    if ('secret' in line)
      notes.set(`${hour} ${account} ${key} ${line.secret}`, () => noteHour(hour, account, key, line.secret));
    else notes.set(`${account} ${key}`, () => noteRefused(account, key));
  }
  const missing = [...notes].filter(([name]) => !written.has(name));
  await fewAtOnce(missing, async ([name, write]) => {
    await write();
    if (written.size >= writtenMax) written.clear();
    written.add(name);
  });
}

const partOf = (account: string, key: string): number => crc32(`${account}#${key}`) % dayParts;

const noteDay = (day: string, account: string, key: string): Promise<unknown> => {
  const keys = { pk: daysPartition(day, partOf(account, key)), sk: `${account}#${key}` };
  return writePut(usage.put({ ...keys, ttl: usageExpiryOf(startOf(day), 'hour') }));
};

const noteRefused = (account: string, key: string): Promise<unknown> =>
  writePut(usage.put({ pk: keysPartition(account), sk: `${key}#` }));

/** Records the hour. An earlier hour that arrives late changes nothing. */
const noteHour = (hour: string, account: string, key: string, secret: string): Promise<unknown> => {
  const keys = { pk: keysPartition(account), sk: `${key}#${secret}` };
  return writeUpdate(usage.update(keys, { hour }, { if: { hour: absentOrBelow(hour) } }));
};
