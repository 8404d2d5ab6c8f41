import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { statements, typeOfPath } from '../../lib/contract/inbox.ts';
import { operations } from '../../lib/contract/index.ts';
import { getMe } from '../../lib/contract/me.ts';
import { ingest } from '../../lib/inbox/ingest.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import { aContact, givenAccount, givenKey } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { aRecord } from '../support/data/records.ts';
import { call, checkReply, type Request } from '../support/http/api.ts';
import { pathOf } from '../support/http/pathOf.ts';
import { sendRaw } from '../support/http/rawHttp.ts';
import { validRequests } from '../support/http/requests.ts';
import { type FieldPath, fieldPathsOf, jsonWith } from '../support/input/bodyFields.ts';
import { hostileWireTexts } from '../support/input/hostile.ts';
import {
  type Attack,
  answerMax,
  headerBytes,
  hostileBodies,
  hostilePaths,
  large,
  largestBatches,
  small,
} from '../support/input/hostileRequests.ts';
import { queryNamesOf } from '../support/input/queries.ts';
import { withLog } from '../support/run/logLines.ts';
import { sampleOf } from '../support/run/sample.ts';
import { run } from '../support/stack/commands.ts';
import { removeFolder, temporaryFolder } from '../support/stack/stackProcess.ts';

/** What an operation reads of a request, and what it does not: the latter is tried with one. */
const headersOf = ({ id, body, requestHeaders = [] }: Operation): readonly string[] => [
  ...['X-Api-Key', ...requestHeaders],
  ...(body ? ['Content-Type', 'Content-Encoding'] : []),
  ...(id === getMe.id ? ['Accept', 'Accept-Encoding', 'Cookie', 'User-Agent', 'X-Forwarded-For'] : []),
];

describe.each(operations.map((operation, turn) => [operation.id, operation as Operation, turn] as const))(
  '%s',
  (id, operation, turn) => {
    let valid: Request;
    let key: string;
    let other: string;
    beforeAll(async () => {
      const account = givenAccount();
      valid = await validRequests[id](account);
      ({ text: key } = await givenKey(account));
      ({ text: other } = await givenKey(givenAccount()));
    });

    /** Sends requests, four at once. Each is answered by the contract and shortly, and so is another account afterwards. */
    async function attack(kind: string, all: Attack[]): Promise<void> {
      const requests = sampleOf(all, { name: `hostile ${kind}`, count: 3, turn });
      await inPool(4, requests, async ([name, { headers = [], ...change }]) => {
        const own = headers.includes('X-Api-Key') ? [] : ['X-Api-Key', key];
        const typed = headers.includes('Content-Type') || !operation.body ? [] : json;
        const reply = await sendRaw({
          method: operation.method,
          path: pathOf(operation, valid.params),
          ...(operation.body ? { body: JSON.stringify(valid.body) } : {}),
          ...change,
          headers: [...own, ...typed, ...headers],
        });
        expect(reply.status, name).toBeLessThan(500);
        checkReply(operation, reply);
        if (reply.status >= 400)
          expect((reply.body as { message: string }).message.length, name).toBeLessThan(answerMax);
      });
      expect((await call(getMe, { key: other })).status).toBe(200);
    }

    test('stands hostile headers', async () => {
      const texts = Object.entries(hostileWireTexts(headerBytes));
      await attack(
        'headers',
        headersOf(operation).flatMap((name) =>
          texts.map(([kind, text]): Attack => [`${name}: ${kind}`, { headers: [name, text] }]),
        ),
      );
    });

    test('stands hostile queries and paths', () =>
      attack('paths', hostilePaths(operation, valid, queryNamesOf(operation))));

    if (operation.body)
      test('stands hostile bodies, in every place', () => attack('bodies', hostileBodies(operation, valid)));

    if (operation.bodyBytesMax !== undefined)
      test('stands hostile bodies as large as it takes them', () =>
        attack('batches', largestBatches(operation, aContact)));
  },
);

const json = ['Content-Type', 'application/json'];

const resources = Object.keys(statements) as (keyof typeof statements)[];

describe.each(sampleOf(resources, { name: 'hostile statements', count: 1 }))('%s', (resource) => {
  test('the inbox stands hostile messages, in every place, and takes those beside them', async () => {
    const account = givenAccount();
    const message = (place: FieldPath, text: string) =>
      jsonWith({ account, resource, record: aRecord(typeOfPath[resource]) }, place, text);
    const paths = fieldPathsOf(statements[resource]());
    const hostile = [
      ...paths.flatMap((place) => Object.values(small).map((text) => message(['record', ...place], text))),
      ...Object.values(large).flatMap((text) => [message(['nope'], text), message([], text)]),
      ...Object.values(small).flatMap((text) => [message(['account'], text), message(['resource'], text)]),
    ];
    const good = message(['account'], JSON.stringify(account));
    const messages = [...hostile, good].map((body, i) => ({ id: String(i), body }));
    const { result, lines } = await withLog(() => ingest(messages, Number.POSITIVE_INFINITY));
    expect(result).not.toContain(String(hostile.length));
    expect(lines.at(-1)).toMatchObject({ message: 'ingested', failed: 0 });
    for (const line of lines) expect(JSON.stringify(line).length).toBeLessThan(answerMax);
  });

  test('the import stands hostile lines, and takes the one after them', async () => {
    const folder = temporaryFolder();
    const record = () => aRecord(typeOfPath[resource]);
    const bodies = Object.values(large).flatMap((text) => [jsonWith(record(), ['note'], text), text]);
    const good = JSON.stringify(record());
    const file = join(folder, 'hostile.ndjson');
    writeFileSync(file, `${[...bodies, good].join('\n')}\n`);
    const refused = join(folder, 'refused.ndjson');
    const options = ['--account', givenAccount(), '--refused', refused, '--json'];
    const { code, stdout } = await run('import', [resource, file, ...options]);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ complete: true, lines: bodies.length + 1 });
    expect(report.created + report.refused).toBe(report.lines);
    expect(readFileSync(refused, 'utf8')).not.toContain(good);
    expect(code).toBe(1);
    removeFolder(folder);
  });
});
