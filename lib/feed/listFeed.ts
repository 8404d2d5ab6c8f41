import { batchesOf } from '../concurrency.ts';
import { beforeAll, type Change, type ChangeList, type ChangeQuery } from '../contract/changes.ts';
import { type EventResourceType, eventScopes, isSubscribed } from '../contract/eventTypes.ts';
import { readItems } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import { invalidField } from '../errors/apiError.ts';
import { type Constant, constant } from '../errors/constant.ts';
import { fittingCount } from '../filterIndex/fittingPage.ts';
import { type Access, allows } from '../keys/access.ts';
import { positionOf } from '../records/position.ts';
import { isDeleted, toRecord } from '../records/recordItem.ts';
import { recordKey } from '../records/recordKeys.ts';
import { originIn } from '../records/recordOrigin.ts';
import { collectionOf } from '../resources/collections.ts';
import { isResource } from '../resources/index.ts';
import { eventId } from './feedEntry.ts';
import {
  changeDays,
  type FeedHead,
  firstKeptOf,
  type NumberedEntry,
  readFeedHead,
  readNewestBefore,
} from './feedItems.ts';
import { type FoundChanges, findChanges, type NumberRange, nextNumbers, type Search } from './findChanges.ts';

/**
 * Returns a page of an account's changes that a key may read. It is strongly consistent: `next_after` never passes a number that appears later.
 * A page takes two reads at any offset, one if there is nothing new, and more if many changes are left out.
 * @throws ApiError 400 if `after` is too old or from another feed, because the reader would miss changes unnoticed
 */
export async function listFeed(
  account: string,
  query: ChangeQuery,
  { access, keyId }: { access: Access; keyId: string },
): Promise<ChangeList> {
  const head = await readFeedHead(account);
  const kept = { first: firstKeptOf(head.days, head.count, changeDays), end: head.count };
  const { limit, offset, types: wanted = ['*'], sort, include, exclude_own } = query;
  const search = {
    limit,
    newestFirst: sort === '-number',
    isWanted: (type: string, by: string | undefined) =>
      isSubscribed(wanted, type) && isReadable(access, type) && !(exclude_own && by === keyId),
  };
  const asked = rangeOf(query, kept, await isNothingDropped(account, head, query.after, kept, search));
  const found = await (offset === undefined
    ? findChanges(account, asked, search)
    : nextNumbers(account, withoutSkipped(asked, offset, search), search));
  const changes = found.entries.map((one) => shown(account, one));
  const { data, rest } =
    include === undefined
      ? { data: changes, rest: found.rest }
      : await fitting(account, changes, found, search);
  const total = asked.end - asked.first;
  const pagination = {
    limit,
    offset: offset ?? 0,
    total,
    has_more: rest.first < rest.end,
    next_after: nextAfter(query, asked, rest),
  };
  return { data, pagination };
}

/** Returns as many changes as fit into a response together with their records. */
async function fitting(
  account: string,
  changes: readonly Change[],
  { rest }: FoundChanges,
  search: Search,
): Promise<{ data: Change[]; rest: NumberRange }> {
  const all = await withRecords(account, changes);
  const data = all.slice(0, fittingCount(all));
  const left = all[data.length];
  if (!left) return { data, rest };
  const { number } = left;
  return {
    data,
    rest: search.newestFirst ? { first: rest.first, end: number + 1 } : { first: number, end: rest.end },
  };
}

/** Returns whether a key may read changes of a type, which begins with the type of its resource. */
const isReadable = (access: Access, type: string): boolean =>
  allows(access, eventScopes[type.split('.')[0] as EventResourceType]);

/**
 * Returns whether no change that a request asks for has expired after `after`. Readers that store the number of the last change they got, such
 * as Airbyte and dlt, continue from there after any time without a change for them.
 */
async function isNothingDropped(
  account: string,
  head: FeedHead,
  after: number | undefined,
  { first }: NumberRange,
  { isWanted }: Search,
): Promise<boolean> {
  if (after === undefined || after >= first - 1) return true;
  const newest = await readNewestBefore(account, head, first);
  return (
    newest !== undefined &&
    Object.entries(newest).every(([type, number]) => number <= after || !isWanted(type, undefined))
  );
}

/** Returns the numbers that a request covers: the kept ones after `after`, in the order of the request. */
function rangeOf(
  { after, sort }: ChangeQuery,
  { first, end }: NumberRange,
  isNothingDropped: boolean,
): NumberRange {
  if (after === undefined) return { first, end };
  const lowest = sort === '-number' ? beforeAll : first - 1;
  const refused = (reason: Constant) =>
    invalidField(
      constant`after`,
      constant`must be ${end - 1 > lowest ? constant`an integer from ${lowest} to ${end - 1}` : lowest}: ${reason}; load the lists again, and delete what they lack`,
    );
  if (after < lowest && !isNothingDropped)
    throw refused(constant`changes before number ${first} are no longer kept`);
  if (after > Math.max(lowest, end - 1)) throw refused(constant`no change has a higher number`);
  return sort === '-number'
    ? { first, end: Math.max(first, after) }
    : { first: Math.max(first, after + 1), end };
}

const withoutSkipped = ({ first, end }: NumberRange, offset: number, { newestFirst }: Search): NumberRange =>
  newestFirst ? { first, end: Math.max(first, end - offset) } : { first: Math.min(end, first + offset), end };

/** Returns the last number of the page in its order. On an empty page, it is the number from which the next request continues. */
function nextAfter({ sort, after }: ChangeQuery, asked: NumberRange, rest: NumberRange): number {
  if (sort === 'number') return rest.first - 1;
  return asked.end > asked.first ? rest.end : (after ?? asked.end - 1);
}

const shown = (account: string, { number, entry }: NumberedEntry): Change => {
  const { type, resource_type, resource_id: id, version, at, changed_fields, merged_into } = entry;
  return {
    number,
    id: eventId(account, { id, version }),
    type,
    at,
    resource: { type: resource_type, id, version },
    changed_fields,
    origin: originIn(entry),
    ...(merged_into === undefined ? {} : { merged_into }),
  };
};

/** How many records to read at once. If they are large, a read takes a noticeable part of a request's time. */
const readsAtOnce = 25;

/**
 * Adds to each change its record as it is now. A key that may read the change may also read the record. Read the changes first, so that no
 * record is older than its change.
 */
async function withRecords(account: string, changes: readonly Change[]): Promise<Change[]> {
  const keys = new Map(
    changes.flatMap(({ resource: { type, id } }) => {
      if (!isResource(type)) return [];
      const position = positionOf(collectionOf(type).prefix, id);
      return position === undefined ? [] : [[id, recordKey({ account, type }, position)] as const];
    }),
  );
  const reads = batchesOf([...keys.values()], readsAtOnce).map((some) => readItems(records, some));
  const items = (await Promise.all(reads)).flat();
  const byId = new Map(items.map((item) => [item.id, item]));
  return changes.map((change) => {
    const { type, id } = change.resource;
    const item = byId.get(id);
    if (!item || !isResource(type)) return change;
    return { ...change, [type]: isDeleted(item) ? null : toRecord(collectionOf(type), item) };
  });
}
