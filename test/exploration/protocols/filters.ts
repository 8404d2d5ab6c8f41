import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { nameOf } from '../../../lib/dynamodb/item.ts';
import { indexChanges } from '../../../lib/filterIndex/indexChanges.ts';
import { indexEntriesOf, updated } from '../../../lib/filterIndex/indexEntries.ts';
import { readContent } from '../../../lib/filterIndex/sets/itemContent.ts';
import type { StreamedChange } from '../../../lib/records/change.ts';
import { recordKey } from '../../../lib/records/recordKeys.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import type { Role } from '../engine/model.ts';
import { type Scenario, Violation } from '../engine/search.ts';
import { presentTime, presentWorld, type World } from '../engine/world.ts';
import { account, changesTo, contactAt, repetition, shard } from './stream.ts';

const index = async (changes: readonly StreamedChange[]): Promise<string[]> =>
  (await indexChanges(changes, presentTime() + 60_000)).failed;

/** Not that of the first record: its collection would be noted, too. */
const position = 1;
const ref = { account, type: contacts.type };

const store = (record: object): Promise<unknown> =>
  dynamodb().send(new PutCommand({ TableName: 'records', Item: { ...recordKey(ref, position), ...record } }));

const versionNow = (): number =>
  presentWorld().tables.get('records', recordKey(ref, position))?.version as number;

const isThere = (batch: readonly StreamedChange[]): boolean =>
  batch.every(({ after }) => after.version <= versionNow());

/** When all is done, the record is in the items that it belongs to, and in no others. */
function check({ tables, isOver }: World): void {
  const record = tables.get('records', recordKey(ref, position));
  if (!isOver || !record) return;
  const named = new Set(
    indexEntriesOf({ account, type: 'contact' }, position, record as never).map(({ key }) => nameOf(key)),
  );
  for (const item of tables.items('index')) {
    if (!(item.members instanceof Uint8Array) || String(item.pk).includes(`#${updated}/`)) continue;
    const key = { pk: String(item.pk), sk: String(item.sk) };
    const isMember = readContent({ key, isHour: false }, item.members).members().has(position);
    if (isMember !== named.has(nameOf(key)))
      throw new Violation(
        `The record ${isMember ? 'is in an item of the index, and must not be' : 'is missing in an item of the index'}`,
      );
    named.delete(nameOf(key));
  }
  if (named.size > 0) throw new Violation('The record is missing in the index');
}

/**
 * The last version of a record is written while the changes to it are told: the first one in a batch of its own, which comes again, and all
 * others together.
 */
function lastChange(name: string, contents: readonly Partial<Contact>[]): Scenario {
  const versions = contents.map((content, i) => contactAt(position, i + 1, content));
  const [before, last] = versions.slice(-2) as [Contact, Contact];
  const [first, ...others] = changesTo(position, versions) as [StreamedChange, ...StreamedChange[]];
  const writer: Role = { name: 'W', run: () => store(last) };
  return {
    name,
    limits: [
      { faults: 1, stalls: 0 },
      { faults: 0, stalls: 1 },
    ],
    prepare: async () => {
      await store(before);
    },
    roles: () => [
      writer,
      shard('A', [[first], others], index, isThere),
      repetition('B', ['A', 0], [first], index),
    ],
    check,
  };
}

const vip = { tags: ['vip'] };

export const filters: Scenario[] = [
  lastChange('a tag that comes and goes, and a change that comes again', [{}, vip, {}]),
  lastChange('a tag that comes, stays and goes, and a change that comes again', [
    {},
    vip,
    { ...vip, first_name: 'Ada' },
    {},
  ]),
];
