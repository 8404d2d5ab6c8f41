import { readItem } from '../../dynamodb/tableHandle.ts';
import { index } from '../../dynamodb/tables.ts';
import { writePut } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { counts } from '../../logs/metrics.ts';
import { notedCollections } from '../collectionNotes.ts';
import { verificationKey } from '../indexKeys.ts';
import { positionsNamed } from '../maintain.ts';
import { type ComparisonStart, compareIndex } from './compare.ts';
import { type Differences, differencesIn } from './differences.ts';
import { confirm } from './wrong.ts';

/** A pass begins once a day. It is half an hour less, because the function starts once an hour, but never at exactly the same second. */
const passEveryMs = 23.5 * 3_600_000;

/** How late the index may be without counting as wrong. Another alarm reports when it is later than five minutes. */
const lateMs = 15 * 60_000;

/** How much the next run repeats at most after a run was killed. */
const saveEveryMs = 30_000;

/** A verification of the whole index. With many records, it takes several runs of the function. */
interface Pass {
  /** Epoch milliseconds. */
  startedAt: number;
  next: ComparisonStart | { part: 'nothing' };
  /** So far: how many items of the index were compared, and how many positions are wrong. */
  checked: number;
  wrong: number;
}

/**
 * Continues the verification of the whole index, or begins a new one a day after the last. It repairs nothing, so a person can still look for
 * the cause of a difference. Two runs at once would compare the same items twice, and do no harm.
 */
export async function verifyIndex(deadline: number): Promise<void> {
  const last = (await readItem<{ pass: Pass }>(index, verificationKey))?.pass;
  const isOver = last === undefined || last.next.part === 'nothing';
  if (isOver && last && Date.now() < last.startedAt + passEveryMs) return;
  const pass: Pass = isOver
    ? { startedAt: Date.now(), next: { part: 'records' }, checked: 0, wrong: 0 }
    : last;
  const save = () => writePut(index.put({ ...verificationKey, pass }));
  let savedAt = Date.now();
  const start = pass.next as ComparisonStart;
  const collections = notedCollections(start.part === 'records' ? start.from?.ref : undefined);
  for await (const { differences, checked, next } of compareIndex(start, collections)) {
    pass.checked += checked;
    for (const one of differences) pass.wrong += await countWrong(one);
    pass.next = next ?? { part: 'nothing' };
    if (Date.now() >= deadline) break;
    if (Date.now() - savedAt >= saveEveryMs) {
      await save();
      savedAt = Date.now();
    }
  }
  await save();
  const { checked, wrong, next } = pass;
  const isComplete = next.part === 'nothing';
  // Only a complete pass can report that nothing is wrong.
  const metrics = isComplete || wrong > 0 ? counts('index_differences', wrong) : {};
  log.info('verified the index', { checked, complete: isComplete, ...metrics });
}

/** Confirms differences, and describes the first wrong one. @returns how many are wrong */
async function countWrong(differences: Differences): Promise<number> {
  const before = new Date(Date.now() - lateMs).toISOString();
  const confirmed = await confirm(differences, before);
  const { ref, items } = confirmed;
  const wrong = differencesIn(confirmed);
  if (wrong === 0) return 0;
  const [item] = items;
  log.error('the index is wrong', {
    account: ref.account,
    type: ref.type,
    entries: wrong,
    ...(item ? { first: item.key, position: [...positionsNamed([item])][0] } : {}),
  });
  return wrong;
}
