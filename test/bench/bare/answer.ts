import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { headKey, recordPartition } from '../../../lib/records/keys.ts';
import { positionKey } from '../../../lib/records/position.ts';
import { contacts } from '../../../lib/resources/contacts.ts';

// What the bare handlers know of contacts: enough for a valid request for a page within one block.

type Item = Record<string, unknown>;

/** The attributes of an item that are fields of a contact. */
const shown = new Set(Object.keys(contacts.layout));

/** The page that a request asks for, the key of the head, and the range of its records. */
export function readRequest({ queryStringParameters, requestContext }: APIGatewayProxyEvent) {
  const { limit = '25', offset = '0' } = queryStringParameters ?? {};
  const page = { limit: Number(limit), offset: Number(offset) };
  const ref = { account: requestContext.authorizer?.account_id as string, type: 'contact' } as const;
  const range = {
    partition: recordPartition(ref, page.offset),
    first: positionKey(page.offset),
    last: positionKey(page.offset + page.limit - 1),
  };
  return { page, head: headKey(ref), range };
}

export function answer(
  page: { limit: number; offset: number },
  head: Item | undefined,
  items: Item[],
): APIGatewayProxyResult {
  const data = items.map((item) => ({
    ...contacts.blank,
    ...Object.fromEntries(Object.entries(item).filter(([name]) => shown.has(name))),
  }));
  const next_updated_since = page.offset > 0 ? null : new Date(Date.now() - 60_000).toISOString();
  const pagination = { ...page, total: head?.count ?? 0, next_updated_since };
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ data, pagination }),
  };
}
