import { fewAtOnce } from '../../../lib/concurrency.ts';
import { nameOf } from '../../../lib/dynamodb/item.ts';
import { records } from '../../../lib/dynamodb/tables.ts';
import { noteCollection, notedCollections } from '../../../lib/filterIndex/collectionNotes.ts';
import { compareIndex } from '../../../lib/filterIndex/verify/compare.ts';
import { deletionsIn } from '../../../lib/filterIndex/verify/deletions.ts';
import { type Differences, differencesIn } from '../../../lib/filterIndex/verify/differences.ts';
import { confirm, repair } from '../../../lib/filterIndex/verify/wrong.ts';
import { readCount } from '../../../lib/records/counter.ts';
import { type CollectionRef, counterKey } from '../../../lib/records/recordKeys.ts';
import { isResource, resourceTypes } from '../../../lib/resources/index.ts';
import { countOf } from '../../terminal/output.ts';
import { Progress } from '../../terminal/progress.ts';
import { scan } from '../scan.ts';

interface Job {
  /** Compares only items of this account; all if undefined. */
  account: string | undefined;
  collections: readonly CollectionRef[];
  /** How long ago a record must have changed to be confirmed, in milliseconds. If undefined, every difference is repaired. */
  lag: number | undefined;
  repairs: boolean;
  stopped: AbortSignal;
}

const printedMax = 20;

/**
 * Compares the index with records, and repairs it.
 * @param total the approximate number of records
 * @returns how many positions differ
 */
export async function runIndexJob({ account, collections, lag, repairs, stopped }: Job, total: number) {
  const found = { records: 0, items: 0, different: 0, late: 0, left: 0, complete: false };
  const progress = new Progress('records', total, () => ` · ${found.different} differ`);
  let printed = 0;
  const print = (line: string): void => {
    if (++printed <= printedMax) progress.say(line);
    if (printed === printedMax + 1) progress.say('wrong: more, which are only counted');
  };
  try {
    for await (const compared of compareIndex({ part: 'records' }, collections, account)) {
      for (const differences of compared.differences) {
        found.items += differences.checked;
        const before = lag === undefined ? undefined : new Date(Date.now() - lag).toISOString();
        const wrong = before === undefined ? { ...differences, late: 0 } : await confirm(differences, before);
        found.late += wrong.late;
        found.different += differencesIn(wrong);
        if (lag !== undefined) for (const line of linesOf(wrong)) print(line);
        if (repairs) found.left += await repair(wrong);
      }
      found.records += compared.records;
      progress.advance(compared.records);
      if (stopped.aborted && compared.next) return found;
    }
    found.complete = true;
    return found;
  } finally {
    progress.end();
  }
}

/** Returns lines about differences. Keys contain only hashes of values, so no personal data is printed. */
const linesOf = ({ items, deletions, ref }: Differences): string[] => [
  ...items.map(
    ({ key, toEvaluate, added }) =>
      `wrong: ${nameOf(key)}, ${countOf([...toEvaluate, ...added.keys()].length, 'position')}`,
  ),
  ...(deletionsIn(deletions) === 0 ? [] : [`wrong: which records of ${ref.account}#${ref.type} are deleted`]),
];

const collectionsOf = (account: string): CollectionRef[] => resourceTypes.map((type) => ({ account, type }));

/** Returns the collections of an account or, without an account, those that the index has noted. */
export async function notedOf(account: string | undefined): Promise<CollectionRef[]> {
  if (account !== undefined) return collectionsOf(account);
  const refs: CollectionRef[] = [];
  for await (const ref of notedCollections()) refs.push(ref);
  return refs;
}

/** Returns the collections that have records, of an account or of all, and notes them in the index. To find all, it reads the whole Records table. */
export async function storedOf(account: string | undefined, stopped: AbortSignal): Promise<CollectionRef[]> {
  const refs = account === undefined ? await scanCounters(stopped) : collectionsOf(account);
  const counts = await fewAtOnce(refs, readCount);
  const stored = refs.filter((_, i) => (counts[i] as number) > 0);
  for (const ref of stored) await noteCollection(ref);
  return stored;
}

async function scanCounters(stopped: AbortSignal): Promise<CollectionRef[]> {
  const refs: CollectionRef[] = [];
  const filter = {
    FilterExpression: 'sk = :counter',
    ExpressionAttributeValues: { ':counter': counterKey({ account: '', type: 'contact' }).sk },
  };
  await scan({ table: records.name, filter, onRead: () => {}, stopped }, async (items) => {
    for (const { pk } of items) {
      const [account = '', type] = String(pk).split('#');
      if (isResource(type)) refs.push({ account, type });
    }
  });
  return refs;
}
