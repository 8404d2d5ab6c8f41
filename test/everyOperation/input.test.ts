import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { inboxSchema } from '../../infra/ops/documents/messageSchemas.ts';
import { batchesOf } from '../../lib/concurrency.ts';
import { type ResourcePath, recordSchemas, typeOfPath } from '../../lib/contract/inboxContract.ts';
import { ingest } from '../../lib/inbox/ingest.ts';
import { readMessage } from '../../lib/inbox/readMessage.ts';
import type { Stored } from '../../lib/resources/collection.ts';
import { collectionOf } from '../../lib/resources/collections.ts';
import { batchUpsertContacts, createContact, listContacts } from '../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenKey } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { allRecords } from '../support/data/stored.ts';
import { call } from '../support/http/api.ts';
import type { Case } from '../support/input/case.ts';
import { cases } from '../support/input/cases.ts';
import { run } from '../support/stack/commands.ts';
import { removeFolder, temporaryFolder } from '../support/stack/stackProcess.ts';

// What people and programs send comes through four doors, and all of them store the same of it.

type Fields = Record<string, unknown>;

const resources = Object.keys(recordSchemas) as ResourcePath[];

/** Puts records through a door. @returns why a record was refused, at its place; what is only told elsewhere is not there */
type Door = (account: string, resource: ResourcePath, records: readonly object[]) => Promise<string[]>;

const byPost: Door = async (account, _, records) => {
  const { text: key } = await givenKey(account);
  const refusals: string[] = [];
  await inPool(8, [...records.entries()], async ([i, body]) => {
    const reply = await call(createContact, { key, body });
    if (reply.status !== 201) refusals[i] = reply.body.message;
  });
  return refusals;
};

const byBatch: Door = async (account, _, records) => {
  const { text: key } = await givenKey(account);
  const refusals: string[] = [];
  for (const [n, contacts] of batchesOf(records, 100).entries()) {
    const { body } = await call(batchUpsertContacts, { key, body: { contacts } });
    for (const [i, { message }] of body.results.entries()) if (message) refusals[100 * n + i] = message;
  }
  return refusals;
};

const byInbox: Door = async (account, resource, records) => {
  const messages = records.map((record, i) => ({
    id: String(i),
    body: JSON.stringify({ account, resource, record }),
  }));
  const refusals: string[] = [];
  for (const some of batchesOf(messages, 100))
    for (const id of await ingest(some, Number.POSITIVE_INFINITY)) refusals[Number(id)] = 'refused';
  return refusals;
};

const byImport: Door = async (account, resource, records) => {
  const folder = temporaryFolder();
  const [file, refused] = [join(folder, 'all.ndjson'), join(folder, 'all.refused.ndjson')];
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const { stdout } = await run('import', [resource, file, '--account', account, '--json'], { cwd: folder });
  const refusals: string[] = [];
  if (JSON.parse(stdout).refused > 0)
    for (const line of readFileSync(refused, 'utf8').trim().split('\n')) {
      const { line: number, reason } = JSON.parse(line);
      refusals[number - 1] = reason;
    }
  removeFolder(folder);
  return refusals;
};

const doors: [name: string, door: Door, resource: ResourcePath, isOfClients: boolean][] = [
  ['POST', byPost, 'contacts', true],
  ['a batch', byBatch, 'contacts', true],
  // A resource that is new has no cases of its own yet.
  ...resources
    .filter((resource) => resource in cases)
    .flatMap((resource): typeof doors => [
      ['the inbox', byInbox, resource, false],
      ['an import', byImport, resource, false],
    ]),
];

/** All records of an account, by their external id. */
async function storedIn(account: string, resource: ResourcePath): Promise<Map<string, Stored & Fields>> {
  const all = (await allRecords(collectionOf(typeOfPath[resource]), account)) as (Stored & Fields)[];
  return new Map(all.map((record) => [record.external_id as string, record]));
}

/** What a record message says of itself, and no answer shows as it was sent. */
const isTerm = (field: string): boolean => ['source_id', 'updated_at'].includes(field);

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats: { 'idn-email': /@/, iri: true } });
formats.default(ajv);
const isInSchema = ajv.compile(inboxSchema());

describe.each(doors)('%s', (name, door, resource, isOfClients) => {
  const table = cases[resource] as { cases: Case[]; base: () => object };
  const account = givenAccount();
  const records = table.cases.map(([, sent]): Fields => ({ ...table.base(), ...sent }));
  let refusals: string[];
  let stored: Map<string, Stored & Fields>;
  beforeAll(async () => {
    refusals = await door(account, resource, records);
    stored = await storedIn(account, resource);
  });

  const recordOf = (place: number) => stored.get(String(records[place]?.external_id));

  test.each(table.cases.map(([what, sent, kept], place) => [what, sent, kept, place] as const))(
    `${resource}: %s`,
    (_, sent, kept, place) => {
      const record = recordOf(place);
      if (kept) {
        expect(record, refusals[place]).toBeDefined();
        const shown = Object.entries(kept).filter(([field]) => !isTerm(field));
        expect(record).toMatchObject(Object.fromEntries(shown));
        return;
      }
      // The product loses no record for one field: that field is left out.
      for (const [field, value] of Object.entries(sent))
        if (record) expect([isOfClients, record[field]]).not.toEqual([isOfClients, value]);
      if (isOfClients)
        expect([record, refusals[place]]).toEqual([
          undefined,
          expect.stringMatching(/ must | is not | are /),
        ]);
    },
  );

  if (name !== 'POST')
    test(`${resource} sent again as they are stored change nothing`, async () => {
      const again = table.cases.flatMap(([, sent], place): object[] => {
        const record = recordOf(place);
        if (!record) return [];
        const given = Object.keys({ ...records[place], ...sent }).filter((field) => field in record);
        const { source_id } = records[place] as { source_id?: unknown };
        const fields = given.filter((field) => !isTerm(field)).map((field) => [field, record[field]]);
        return [{ ...Object.fromEntries(fields), ...(source_id ? { source_id: String(source_id) } : {}) }];
      });
      await door(account, resource, again);
      if (!isOfClients)
        for (const record of again)
          expect(isInSchema({ account, resource, record }), JSON.stringify(isInSchema.errors)).toBe(true);
      expect([...(await storedIn(account, resource)).values()]).toEqual([...stored.values()]);
    });
});

describe('what is refused says what is allowed', () => {
  test.each([
    ['"timezone":"Mars/Olympus"', /^timezone must be the name of a time zone in the IANA database/],
    ['"address":{"country":"Deutschland"}', /^address\.country must be /],
    ['"custom_fields":{"n":9007199254740993}', /^custom_fields\.n must /],
    ['"custom_fields":{"n":-1e-400}', /^custom_fields\.n must /],
    ['"address":[]', /^address must be a JSON object/],
    ['"custom_fields":[]', /^custom_fields must be /],
    ['"updated_at":"yesterday"', /^updated_at is not known here \(allowed: /],
    ['"email":"N/A"', /^email must be an e-mail address of at most 320 characters/],
  ])('%s', async (field, message) => {
    const { text: key } = await givenKey(givenAccount());
    const reply = await call(createContact, { key, body: `{"external_id":"x",${field}}` });
    expect([reply.status, reply.body.message]).toEqual([400, expect.stringMatching(message)]);
  });

  const each = (one: (name: string, i: number) => string): string =>
    Array.from({ length: 30 }, (_, i) => one(`N${i}${'x'.repeat(3000)}`, i)).join();

  test.each([
    ['unknown fields', each((name) => `"${name}":1`)],
    ['unknown fields inside', `"address":{${each((name) => `"${name}":1`)}}`],
    ['entries of a list', `"tags":[${each(() => 'true')}]`],
    ['values of custom fields', `"custom_fields":{${each((_, i) => `"n${i}":9007199254740993`)}}`],
  ])('of many problems with %s twenty are named', async (_, fields) => {
    const record = `{"external_id":"x",${fields}}`;
    const { text: key } = await givenKey(givenAccount());
    const { message } = (await call(createContact, { key, body: record })).body;
    const read = readMessage(`{"account":"a","resource":"contacts","record":${record}}`);
    for (const problems of [message.split('; '), 'problems' in read ? read.problems : read.leftOut]) {
      expect(problems.length).toBeLessThanOrEqual(30);
      for (const problem of problems) expect(problem.length).toBeLessThan(500);
    }
    expect(message.split('; ').slice(20)).toEqual(['and 10 more']);
  });
});

test.each(['ada@münchen.example', 'ADA@xn--mnchen-3ya.EXAMPLE'])(
  'an address of another script is found by its spelling %s',
  async (email) => {
    const account = givenAccount();
    const { text: key } = await givenKey(account);
    await call(createContact, { key, body: aContact({ email: 'ada@münchen.example' }) });
    const found = async () => (await call(listContacts, { key, query: { email } })).body.data;
    await expect.poll(found).toMatchObject([{ email: 'ada@münchen.example' }]);
  },
);
