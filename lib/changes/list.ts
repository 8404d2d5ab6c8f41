import { badRequest } from '../apiError.ts';
import { type Constant, constant } from '../constant.ts';
import { beforeAll, type ChangeList, type ChangeQuery } from '../contract/changes.ts';
import { eventScopes, isSubscribed } from '../contract/eventTypes.ts';
import { type Access, allows } from '../keys/access.ts';
import { problemOf } from '../problem.ts';
import { eventId } from './changeEvent.ts';
import { readHead } from './head.ts';
import { changeDays, firstKeptOf } from './kept.ts';
import { type NumberedEntry, readEntries } from './pages.ts';

/** Numbers from the first to before the end. */
interface Range {
  first: number;
  end: number;
}

/**
 * A page of an account's changes, of those that a key may read. It is strongly consistent: `next_after` never passes a number
 * that appears later. A page takes two reads at any offset, and one when there is nothing new.
 * @throws ApiError 400 when `after` is not the number of a change that is kept, because changes would be missing without a word
 */
export async function listFeed(account: string, query: ChangeQuery, access: Access): Promise<ChangeList> {
  const head = await readHead(account);
  const kept = { first: firstKeptOf(head.days, head.count, changeDays), end: head.count };
  const asked = rangeOf(query, kept);
  const page = pageOf(query, asked);
  const entries = await readEntries(account, page.first, page.end);
  if (query.sort === '-number') entries.reverse();
  const { limit, offset, types: wanted = ['*'] } = query;
  const data = entries
    .filter(
      ({ entry: { type, resource_type } }) =>
        isSubscribed(wanted, type) && allows(access, eventScopes[resource_type]),
    )
    .map((one) => shown(account, one));
  const total = asked.end - asked.first;
  return { data, pagination: { limit, offset, total, next_after: nextAfter(query, asked, page) } };
}

/** The numbers that a request is about: those that are kept, and are behind `after` in the order of the request. */
function rangeOf({ after, sort }: ChangeQuery, { first, end }: Range): Range {
  if (after === undefined) return { first, end };
  const lowest = sort === '-number' ? beforeAll : first - 1;
  const refused = (reason: Constant) =>
    badRequest([
      problemOf(
        constant`after`,
        constant`must be ${end - 1 > lowest ? constant`an integer from ${lowest} to ${end - 1}` : lowest}: ${reason}; walk the lists again`,
      ),
    ]);
  if (after < lowest) throw refused(constant`changes before number ${first} are no longer kept`);
  if (after > Math.max(lowest, end - 1)) throw refused(constant`no change has a higher number`);
  return sort === '-number' ? { first, end: Math.max(first, after) } : { first: after + 1, end };
}

function pageOf({ limit, offset, sort }: ChangeQuery, { first, end }: Range): Range {
  if (sort === '-number') {
    const last = Math.max(first, end - offset);
    return { first: Math.max(first, last - limit), end: last };
  }
  const start = Math.min(end, first + offset);
  return { first: start, end: Math.min(end, start + limit) };
}

/** The last number of the page in its order; on an empty page, the number from which the next request has to go on. */
function nextAfter({ sort, after }: ChangeQuery, asked: Range, page: Range): number {
  if (sort === 'number') return page.end - 1;
  return asked.end > asked.first ? page.first : (after ?? asked.end - 1);
}

const shown = (account: string, { number, entry }: NumberedEntry): ChangeList['data'][number] => {
  const { type, resource_type, resource_id: id, version, at, changed_fields } = entry;
  return {
    number,
    id: eventId(account, { id, version }),
    type,
    at,
    resource: { type: resource_type, id, version },
    changed_fields,
  };
};
