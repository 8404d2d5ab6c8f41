import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { idempotencyKey, once } from '../../../lib/dynamodb/idempotency.ts';
import { env, required } from '../../../lib/env.ts';
import { createContact, updateContact } from '../../../lib/resources/contacts.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { allContacts } from '../../support/data/stored.ts';
import { call } from '../../support/http/api.ts';

let account: string;
let key: string;
beforeEach(async () => {
  account = givenAccount();
  ({ text: key } = await givenKey(account));
});

const ada = { email: 'ada@example.com', first_name: 'Ada', custom_fields: { a: 1, b: 2 } };
const create = (name: string, body: unknown = ada) =>
  call(createContact, { key, body, headers: { 'Idempotency-Key': name } });
const isReplayed = (reply: { headers: Headers }) => reply.headers.get('Idempotent-Replayed');

describe('a request with an Idempotency-Key that was sent before', () => {
  test('has no second effect, and gets the same answer with a header that says so', async () => {
    const first = await create('retry-1');
    // Its standard writes a string in quotes.
    const second = await create('"retry-1"');
    expect([first.status, isReplayed(first)]).toEqual([201, null]);
    expect([second.status, isReplayed(second)]).toEqual([201, 'true']);
    expect(second.body).toEqual(first.body);
    for (const name of ['Location', 'ETag']) expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(await allContacts(account)).toEqual([first.body]);
  });

  test.each([
    ['with other white space', JSON.stringify(ada, null, 4)],
    [
      'with its fields in another order',
      '{"custom_fields":{"b":2,"a":1},"first_name":"Ada","email":"ada@example.com"}',
    ],
    ['with escapes', JSON.stringify(ada).replace('ada@', '\\u0061da@')],
  ])('is the same request %s', async (_, body) => {
    const first = await create('spelled');
    const second = await create('spelled', body);
    expect([second.status, isReplayed(second)]).toEqual([201, 'true']);
    expect(second.body).toEqual(first.body);
  });

  test('gets the answer of then, also when the record has changed since', async () => {
    const first = await create('then');
    await call(updateContact, { key, params: { contactId: first.body.id }, body: { first_name: 'Augusta' } });
    const second = await create('then');
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('ETag')).toBe('"1"');
  });

  test('may come in twenties at once: one effect, and one answer for all', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => create('at-once')));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(replies.filter((reply) => isReplayed(reply) === null)).toHaveLength(1);
    expect(await allContacts(account)).toHaveLength(1);
  });

  test('with another body is 422, and does nothing', async () => {
    const first = await create('reused');
    const { status, body } = await create('reused', { ...ada, first_name: 'Grace' });
    expect([status, body]).toEqual([
      422,
      {
        error: 'Unprocessable Content',
        message:
          'This Idempotency-Key was already used for a request with another path or body; use a new one',
      },
    ]);
    expect(await allContacts(account)).toEqual([first.body]);
  });

  test('is a new one after seven days, though the database may not have removed the old answer yet', async () => {
    const first = await create('old');
    const { name } = once('createContact', await digest('old'), ada);
    await dynamodb().send(
      new UpdateCommand({
        TableName: required(env.recordsTable),
        Key: idempotencyKey(account, name),
        UpdateExpression: 'SET expires_at = :past',
        ConditionExpression: 'expires_at > :almost',
        ExpressionAttributeValues: { ':past': Date.now() - 1, ':almost': Date.now() + 6.99 * 86_400_000 },
      }),
    );
    const second = await create('old');
    expect([second.status, isReplayed(second)]).toEqual([201, null]);
    expect(second.body.id).not.toBe(first.body.id);
    expect(isReplayed(await create('old'))).toBe('true');
  });
});

describe('what a key is about', () => {
  test('one account: another one may use the same', async () => {
    await create('shared');
    const { text: foreign } = await givenKey(givenAccount());
    const reply = await call(createContact, {
      key: foreign,
      body: ada,
      headers: { 'Idempotency-Key': 'shared' },
    });
    expect([reply.status, isReplayed(reply)]).toEqual([201, null]);
  });

  test('the account and not the API key: a client that changed its key may still retry', async () => {
    const first = await create('rotated');
    const { text: newer } = await givenKey(account);
    const reply = await call(createContact, {
      key: newer,
      body: ada,
      headers: { 'Idempotency-Key': 'rotated' },
    });
    expect(reply.body).toEqual(first.body);
  });

  test('effects: a refused request is not remembered, so it can be corrected and sent with the same key', async () => {
    expect((await create('mended', { first_name: 'Nobody' })).status).toBe(400);
    expect((await create('mended')).status).toBe(201);
  });

  test.each(['', '""'])('nothing else than its text: %j is refused', async (name) => {
    expect((await create(name)).status).toBe(400);
  });

  test('two different keys are two contacts, without a key every request is one', async () => {
    await create('one');
    await create('two');
    await call(createContact, { key, body: ada });
    await call(createContact, { key, body: ada });
    expect(await allContacts(account)).toHaveLength(4);
  });
});

/** Under this name a key of a client is kept: what it says is nobody's business. */
async function digest(name: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name));
  return Buffer.from(bytes).toString('hex');
}
