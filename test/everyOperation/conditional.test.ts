import { beforeEach, describe, expect, test } from 'vitest';
import { operations } from '../../lib/contract/index.ts';
import type { Operation, RequestHeader } from '../../lib/resources/operation.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { call, type Reply, type Request } from '../support/http/api.ts';
import { validRequests } from '../support/http/requests.ts';
import { sampleOf } from '../support/run/sample.ts';

const all: readonly Operation[] = operations;
const reading = (header: RequestHeader) =>
  all
    .filter(({ requestHeaders }) => requestHeaders?.includes(header))
    .map((operation) => [operation.id, operation] as const);

let account: string;
let key: string;
beforeEach(async () => {
  account = givenAccount();
  ({ text: key } = await givenKey(account));
});

const malformed = [
  ['a number without quotes', '1'],
  ['quotes that do not end', '"1'],
  ['words', 'latest'],
  ['nothing', ''],
  ['a star among others', '*, "1"'],
  ['a small w', 'w/"1"'],
  ['a space inside', '"1 2"'],
  ['5,000 commas', ','.repeat(5000)],
  ['1,025 characters', `"${'1'.repeat(1023)}"`],
] as const;

/** The operations read their headers by the same code. */
const some = <T>(what: string, values: readonly T[], { id }: Operation): T[] =>
  sampleOf(values, { name: `${what} ${id}`, count: 2 });

/** Sends a valid request with the header at the value. */
type Send = (value: string) => Promise<Reply<unknown>>;

async function sender(operation: Operation, header: RequestHeader): Promise<{ valid: Request; send: Send }> {
  const valid = await validRequests[operation.id as keyof typeof validRequests](account);
  const send = (value: string) => call(operation, { ...valid, key, headers: { [header]: value } });
  return { valid, send };
}

const outcomeOf = ({ status, headers }: Reply<unknown>) => [status, headers.get('ETag')];

/** The outcome of a change: a record that was deleted has no entity tag. */
const changed = ({ method }: Operation) => (method === 'DELETE' ? [204, null] : [200, '"2"']);

const isRead = ([, { method }]: readonly [string, Operation]) => method === 'GET';

describe.each(reading('If-None-Match').filter(isRead))('%s with If-None-Match', (_, operation) => {
  test.each(some('304', ['"1"', 'W/"1"', '"7", "1"', 'W/"7" , W/"1"', ', "7",, "1" ,', '*'], operation))(
    '%s: 304 without a body, as nothing is new',
    async (tags) => {
      const { send } = await sender(operation, 'If-None-Match');
      const { status, body, headers } = await send(tags);
      expect([status, body]).toEqual([304, '']);
      expect(headers.get('ETag')).toBe('"1"');
    },
  );

  test.each(some('200', ['"2"', '"0", "11"', 'W/"2"', '"1x"', '""'], operation))(
    '%s: the record',
    async (tags) => {
      const { send } = await sender(operation, 'If-None-Match');
      expect((await send(tags)).status).toBe(200);
    },
  );

  test.each(some('malformed', malformed, operation))('%s: 400', async (_, tags) => {
    const { send } = await sender(operation, 'If-None-Match');
    const { status, body } = await send(tags);
    expect([status, body]).toEqual([
      400,
      {
        error: 'Bad Request',
        message:
          'The header If-None-Match must be * or a list of entity tags in double quotes, as in "3", of at most 1024 characters',
      },
    ]);
  });

  test('shows nobody that a record of another account exists', async () => {
    const { valid } = await sender(operation, 'If-None-Match');
    const { text: foreign } = await givenKey(givenAccount());
    const { status } = await call(operation, { ...valid, key: foreign, headers: { 'If-None-Match': '*' } });
    expect(status).toBe(404);
  });
});

describe.each(reading('If-None-Match').filter((one) => !isRead(one)))(
  '%s with If-None-Match',
  (_, operation) => {
    test.each(some('412', ['"1"', 'W/"1"', '"7", "1"', '*'], operation))(
      '%s: 412, and nothing is changed',
      async (tags) => {
        const { send } = await sender(operation, 'If-None-Match');
        const { status, body } = await send(tags);
        expect([status, body]).toEqual([
          412,
          {
            error: 'Precondition Failed',
            message: 'If-None-Match must not match the current version, which is "1"',
          },
        ]);
        expect((await send('"9"')).headers.get('ETag')).toBe('"2"');
      },
    );
  },
);

describe.each(reading('If-Match'))('%s with If-Match', (_, operation) => {
  test.each(some('changed', ['"1"', '"7", "1"', ',"1",,', '*'], operation))(
    '%s: the change is made',
    async (tags) => {
      const { send } = await sender(operation, 'If-Match');
      expect(outcomeOf(await send(tags))).toEqual(changed(operation));
    },
  );

  test.each(some('unmatched', ['"2"', '"0"', '"3", "4"', 'W/"1"', '""'], operation))(
    '%s: 412, and nothing is changed',
    async (tags) => {
      const { send } = await sender(operation, 'If-Match');
      const { status, body } = await send(tags);
      expect([status, body]).toEqual([
        412,
        {
          error: 'Precondition Failed',
          message: 'If-Match must name the current version, which is "1"; a weak tag never matches',
        },
      ]);
      expect(outcomeOf(await send('"1"'))).toEqual(changed(operation));
    },
  );

  test.each(some('malformed', malformed, operation))('%s: 400, and nothing is changed', async (_, tags) => {
    const { send } = await sender(operation, 'If-Match');
    expect((await send(tags)).status).toBe(400);
    expect(outcomeOf(await send('"1"'))).toEqual(changed(operation));
  });

  test('a record of another account is not there, whatever its version', async () => {
    const { valid } = await sender(operation, 'If-Match');
    const { text: foreign } = await givenKey(givenAccount());
    const { status } = await call(operation, { ...valid, key: foreign, headers: { 'If-Match': '"9"' } });
    // By an external id a record could be created, so there is no 404.
    expect(status).toBe(operation.params ? 412 : 404);
  });
});

describe.each(all.map((operation, turn) => [operation.id, operation, turn] as const))(
  '%s',
  (_, operation, turn) => {
    const names = ['Idempotency-Key', 'If-Match', 'If-None-Match'] as const;
    test.each(sampleOf(names, { name: 'headers', count: 1, turn }))(
      'reads %s only if it says so',
      async (header) => {
        const { send } = await sender(operation, header);
        const wrong = header === 'Idempotency-Key' ? 'x'.repeat(256) : 'wrong';
        expect((await send(wrong)).status).toBe(
          operation.requestHeaders?.includes(header) ? 400 : operation.success.status,
        );
      },
    );
  },
);
