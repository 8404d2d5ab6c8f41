import { beforeAll, describe, expect, test } from 'vitest';
import { type Contact, listContacts } from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../support/data/given.ts';
import { apiUrl, call } from '../../support/http/api.ts';

let key: string;
let all: Contact[];
beforeAll(async () => {
  const account = givenAccount();
  ({ text: key } = await givenKey(account, ['contacts:read']));
  all = await givenContacts(
    account,
    Array.from({ length: 230 }, () => aContact()),
  );
});

const list = (query: Record<string, string | number> = {}) => call(listContacts, { key, query });

describe('200', () => {
  test('the first 25, oldest first, by default', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({
      data: all.slice(0, 25),
      pagination: { limit: 25, offset: 0, total: 230, next_updated_since: expect.any(String) },
    });
  });

  test.each([
    [1, 0],
    [100, 0],
    [7, 96],
    [100, 50],
    [100, 199],
    [25, 225],
    [100, 229],
  ])('limit %i at offset %i: exactly those records, also across blocks', async (limit, offset) => {
    const { body } = await list({ limit, offset });
    expect(body.data).toEqual(all.slice(offset, offset + limit));
    expect(body.pagination).toEqual({
      limit,
      offset,
      total: 230,
      next_updated_since: offset === 0 ? expect.any(String) : null,
    });
  });

  test('a page is compressed for a client that accepts it, and has the same content', async () => {
    const ask = (coding: string) =>
      call(listContacts, { key, query: { limit: 100, offset: 1 }, headers: { 'Accept-Encoding': coding } });
    const [plain, compressed] = [await ask('identity'), await ask('gzip')];
    expect(compressed.body).toEqual(plain.body);
    const headersOf = ({ headers }: typeof plain) => [
      headers.get('Content-Encoding'),
      Number(headers.get('Content-Length')),
    ];
    const bytes = Buffer.byteLength(JSON.stringify(plain.body));
    expect(headersOf(plain)).toEqual([null, bytes]);
    const [coding, length] = headersOf(compressed);
    expect(coding).toBe('gzip');
    expect(length).toBeLessThan(bytes / 4);
  });

  test('the first page of a poll has next_updated_since, and no later one has', async () => {
    const poll = { updated_since: '2026-03-01T00:00:00Z', limit: 100 };
    const { body, headers } = await list(poll);
    expect(Date.parse(body.pagination.next_updated_since ?? '')).toBeLessThanOrEqual(Date.now() - 60_000);
    const [, url = ''] = /<([^>]*)>; rel="next"/.exec(headers.get('Link') as string) ?? [];
    const next = await fetch(url, { headers: { 'X-Api-Key': key } });
    expect((await next.json()).pagination.next_updated_since).toBeNull();
    expect((await list({ ...poll, offset: 100 })).body.pagination.next_updated_since).toBeNull();
  });

  test('the Link header walks the whole list', async () => {
    const seen: string[] = [];
    let url: string | undefined = `${apiUrl}/contacts?limit=100`;
    while (url) {
      const response: Response = await fetch(url, { headers: { 'X-Api-Key': key } });
      seen.push(...((await response.json()) as { data: Contact[] }).data.map(({ id }) => id));
      url = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
    }
    expect(seen).toEqual(all.map(({ id }) => id));
  });

  test.each([
    [0, { first: 0, next: 25, last: 225 }],
    [25, { first: 0, prev: 0, next: 50, last: 225 }],
    [10, { first: 0, prev: 0, next: 35, last: 225 }],
    [225, { first: 0, prev: 200, last: 225 }],
    [5000, { first: 0, prev: 225, last: 225 }],
  ])('the Link header at offset %i', async (offset, expected) => {
    expect((await list({ offset })).headers.get('Link')).toBe(links(expected));
  });
});

/** Records may be deleted, so the next page begins after the last record of this one. */
const links = (offsets: Record<string, number>): string =>
  Object.entries(offsets)
    .map(([rel, offset]) => [rel, rel === 'next' ? `after=${all[offset - 1]?.id}` : `offset=${offset}`])
    .map(([rel, from]) => `<${apiUrl}/contacts?limit=25&${from}>; rel="${rel}"`)
    .join(', ');
