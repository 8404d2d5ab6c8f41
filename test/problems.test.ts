import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkedLines } from '../infra/ops/lines/checkedLines.ts';
import { joinProblems } from '../lib/errors/apiError.ts';
import { readMessage } from '../lib/inbox/message.ts';
import { createContact, listContacts } from '../lib/resources/contacts.ts';
import { givenAccount, givenKey } from './support/data/given.ts';
import { call } from './support/http/api.ts';

// A message names the first twenty problems and the number of the others, in every part of the system.

const count = 30;
const each = (one: (i: number) => string): string => Array.from({ length: count }, (_, i) => one(i)).join();
/** Longer than anybody has to read. */
const long = (i: number): string => `N${i}${'x'.repeat(3000)}`;

/** What stands in a contact beside its external id, with as many problems as `count` says. */
const sources: [name: string, fields: string][] = [
  ['unknown fields', each((i) => `"${long(i)}":1`)],
  ['unknown fields inside', `"address":{${each((i) => `"${long(i)}":1`)}}`],
  ['entries of a list', `"tags":[${each(() => 'true')}]`],
  ['names of custom fields', `"custom_fields":{${each((i) => `"${long(i)}":1`)}}`],
  ['values of custom fields', `"custom_fields":{${each((i) => `"n${i}":9007199254740993`)}}`],
];

const record = (fields: string) => `{"external_id":"x",${fields}}`;

/** Why a line of a file is refused. */
async function problemOfLine(text: string): Promise<string | undefined> {
  let problem: string | undefined;
  const report = {
    read: () => {},
    done: () => {},
    leftOut: (_: unknown, reason: string) => {
      problem = reason;
    },
    refused: (_: unknown, reason: string) => {
      problem = reason;
    },
  };
  for await (const _ of checkedLines('contacts', Readable.from([Buffer.from(text)]), report)) break;
  return problem;
}

const problemOfMessage = (text: string): string | undefined => {
  const read = readMessage(`{"account":"a","resource":"contacts","record":${text}}`);
  return joinProblems('problems' in read ? read.problems : read.leftOut);
};

let key: string;
beforeAll(async () => {
  ({ text: key } = await givenKey(givenAccount()));
});

async function problemOfBody(body: string): Promise<string> {
  const reply = await call(createContact, { key, body });
  expect(reply.status).toBe(400);
  return (reply.body as unknown as { message: string }).message;
}

function expectShort(message: string | undefined, all = count): void {
  const problems = (message ?? '').split('; ');
  expect(problems).toHaveLength(21);
  expect(problems.at(-1)).toBe(`and ${all - 20} problems more`);
  for (const problem of problems) expect(problem.length).toBeLessThan(500);
}

describe.each(sources)('of many problems with %s twenty are named', (_, fields) => {
  test('by the API', async () => expectShort(await problemOfBody(record(fields))));
  test('by the inbox', () => expectShort(problemOfMessage(record(fields))));
  test('by the import', async () => expectShort(await problemOfLine(record(fields))));
});

test('of many duplicate names twenty are named', async () => {
  const twice = each((i) => `"${long(i)}":1,"${long(i)}":2`);
  // None of them is known, either.
  expectShort(await problemOfBody(record(twice)), 2 * count);
});

test('of many unknown parameters twenty are named', async () => {
  const query = Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}${'x'.repeat(40)}`, '1']));
  const reply = await call(listContacts, { key, query });
  expectShort((reply.body as unknown as { message: string }).message);
});
