import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourceTypes } from '../../lib/resources/index.ts';
import { root } from '../support/stack/stackProcess.ts';
import { type Image, itemOf, type Tables } from './history.ts';

/** A kind of item, as the comment in a table's file describes it. */
interface Kind {
  /** Its two keys, with names in angle brackets for the variable parts. */
  pattern: string;
  key: RegExp;
}

/** The formats of the names in key patterns. */
const forms: Record<string, string> = {
  account: '[^#]+',
  type: `(${resourceTypes.join('|')})`,
  partition: '\\d+',
  part: '\\d+',
  position: '\\d{12}',
  ticket: '\\d{15}-\\w{16}',
  id: '.+',
  event: 'evt_\\w{24}',
  subscription: 'whs_\\w{24}',
  host: '[^#]+',
  redelivery: 'rdl_\\w{24}',
  name: '(\\w+)#[0-9a-f]{64}',
  field: '[a-z_]+',
  value: '[^#]+',
  group: '\\d+',
  chunk: '\\d{9}',
  number: '\\d{12}',
  block: '\\d{12}',
  records: '\\d{12}',
  level: '(?:month|day|hour)',
  bucket: '[^#]+',
  hour: '[^#]+',
  minute: '\\d{4}-[^#]+:\\d\\d',
  key: 'key_.+',
  hash: '[0-9a-f]{64}',
  actor: '[0-9a-f]{64}',
  at: '\\d{4}-[^#]+Z',
  subject: '\\w+',
  revision: '\\d+',
  shard: '\\d',
  day: '\\d{4}-\\d\\d-\\d\\d',
  secret: '[0-9a-f]{0,8}',
  time: '\\d{4}-[^#]+Z',
  message: 'items_\\w{24}',
  request: '[^#]+',
};

/** The kinds of items that the comment in a table's file lists. */
function kindsIn(file: string): Kind[] {
  const lines = readFileSync(join(root, file), 'utf8').matchAll(
    /^ \* {3}(\S*[<#]\S+)(?: {2,}(\S+))? {2,}\S/gm,
  );
  return [...lines].map(([, pk = '', sk]) => {
    const pattern = sk === undefined ? pk : `${pk} ${sk}`;
    const key = pattern.replace(/<(\w+)>/g, (_, name: string) => forms[name] ?? `<${name}>`);
    return { pattern, key: new RegExp(`^${key}$`) };
  });
}

export const kinds: Tables<Kind[]> = {
  keys: kindsIn('lib/keys/table.ts'),
  records: kindsIn('lib/records/table.ts'),
  index: kindsIn('lib/lists/table.ts'),
  webhooks: kindsIn('lib/webhooks/model/table.ts'),
  sessions: kindsIn('lib/console/table.ts'),
  activity: kindsIn('lib/activity/table.ts'),
  usage: kindsIn('lib/usage/table.ts'),
};

/** The key of an item in the form of the patterns. */
export const keyOf = ({ pk, sk }: Image): string =>
  [pk, sk].flatMap((part) => (part ? [(part as { S: string }).S] : [])).join(' ');

/** The patterns that match an item's key: exactly one, if the table's file describes the item. */
export const patternsOf = (table: keyof Tables<unknown>, image: Image): string[] =>
  kinds[table].filter(({ key }) => key.test(keyOf(image))).map(({ pattern }) => pattern);

/** The name of the kind of an item, with the type of a record or an event, the operation of an answer, or the action of an entry. */
export function kindOf(table: keyof Tables<unknown>, image: Image): string {
  const kind = kinds[table].find(({ key }) => key.test(keyOf(image)));
  if (!kind) return `${table}: what fits no pattern`;
  const [, named] = kind.key.exec(keyOf(image)) ?? [];
  const { bodies, action } = itemOf(image) as { bodies?: { full: string }; action?: string };
  const of = named ?? action ?? (bodies && JSON.parse(bodies.full).type);
  return `${table}: ${kind.pattern}${of === undefined ? '' : ` (${of})`}`;
}
