import type { CollectionRef } from '../../records/keys.ts';
import { isResource } from '../../resources/index.ts';
import { isAccount } from '../../values/account.ts';
import { isObject, parsed } from '../../values/json.ts';
import type { NamedItem } from '../maintain.ts';

/** Items of one collection that are written later than their changes were told. */
export interface DeferredItems extends CollectionRef {
  /** No change that named them is older: the first `updated_at` of their records, RFC 3339. */
  since: string;
  items: readonly NamedItem[];
}

/** A message of the queue. It names keys and positions, and nothing of a record: records are read when the message is processed. */
export interface ItemsMessage extends DeferredItems {
  /** Names the note that is there until the items are written. */
  id: string;
}

/** An item in the JSON of a message. */
interface WrittenItem {
  pk: string;
  sk: string;
  leaf?: true;
  evaluated?: number[];
  added?: [position: number, ms?: number][];
}

export const bodyOf = ({ id, account, type, since, items }: ItemsMessage): string =>
  JSON.stringify({ id, account, type, since, items: items.map(written) });

const written = ({ key, isLeaf, evaluated, added }: NamedItem): WrittenItem => ({
  ...key,
  ...(isLeaf ? { leaf: true } : {}),
  ...(evaluated.size > 0 ? { evaluated: [...evaluated] } : {}),
  ...(added.size > 0 ? { added: [...added].map(([at, ms]) => (ms === undefined ? [at] : [at, ms])) } : {}),
});

/** Reads a message of the queue. @returns undefined when it names no items of an account */
export function readItems(body: string): ItemsMessage | undefined {
  const { id, account, type, since, items } = (parsed(body) ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || typeof since !== 'string' || !isAccount(account)) return undefined;
  if (!isResource(type as string) || !Array.isArray(items) || items.length === 0) return undefined;
  if (!items.every((item) => isWritten(item, `${account}#${type}#`))) return undefined;
  return { id, account, type: type as CollectionRef['type'], since, items: items.map(read) };
}

/** @param root how the keys of the collection begin: a message writes in no other */
const isWritten = (item: unknown, root: string): item is WrittenItem =>
  isObject(item) &&
  'pk' in item &&
  String(item.pk).startsWith(root) &&
  'sk' in item &&
  (!('evaluated' in item) || Array.isArray(item.evaluated)) &&
  (!('added' in item) || Array.isArray(item.added));

const read = ({ pk, sk, leaf, evaluated = [], added = [] }: WrittenItem): NamedItem => ({
  key: { pk, sk },
  isLeaf: leaf === true,
  evaluated: new Set(evaluated),
  added: new Map(added.map(([at, ms]) => [at, ms])),
});
