import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import type { OwnStack } from '../support/pipeline/ownStack.ts';
import { Stream } from '../support/pipeline/stream.ts';

/** An item in DynamoDB JSON: `{ "name": { "S": "text" } }`, with bytes as base64. */
export type Image = Record<string, unknown>;

/** The items of a table, and their history. */
export interface History {
  /** The present items, in the order of their keys. */
  items: Image[];
  /** Every state of every item, the present ones included, in the order of the writes. */
  states: Image[];
}

/** A value for each table of the system. */
export type Tables<Value> = Record<
  'keys' | 'records' | 'index' | 'webhooks' | 'sessions' | 'activity' | 'usage',
  Value
>;

/** The history of the tables of a stack whose tables all have a stream. */
export async function historyOf(stack: OwnStack): Promise<Tables<History>> {
  const { keysTable, recordsTable, indexTable, webhooksTable, sessionsTable, activityTable, usageTable } =
    stack;
  const [keys, records, index, webhooks, sessions, activity, usage] = await Promise.all(
    [keysTable, recordsTable, indexTable, webhooksTable, sessionsTable, activityTable, usageTable].map(
      async (table) => read(await new Stream(stack, table).all()),
    ),
  );
  return { keys, records, index, webhooks, sessions, activity, usage } as Tables<History>;
}

function read(changes: readonly Change[]): History {
  const items = new Map<string, Image>();
  const states: Image[] = [];
  for (const { dynamodb } of changes) {
    const key = JSON.stringify(inOrder(dynamodb.Keys));
    if (!dynamodb.NewImage) items.delete(key);
    else {
      const image = inOrder(dynamodb.NewImage) as Image;
      items.set(key, image);
      states.push(image);
    }
  }
  return { items: [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item), states };
}

/** The same with the fields of every object sorted by name, because the database keeps no order. */
export const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, inOrder(inner)]));
};

/** The item as the SDK takes it. */
export const attributesOf = (image: Image): Record<string, AttributeValue> =>
  withBytes(image) as Record<string, AttributeValue>;

const withBytes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withBytes);
  if (value === null || typeof value !== 'object') return value;
  const { B } = value as { B?: unknown };
  if (typeof B === 'string') return { B: Buffer.from(B, 'base64') };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withBytes(inner)]));
};

export const itemOf = (image: Image): Record<string, unknown> => unmarshall(attributesOf(image));
