import { log } from '../../logs/log.ts';
import { indexDifferences } from '../../logs/metrics.ts';
import { notedCollections } from '../collectionNotes.ts';
import { chunksOf } from './chunks.ts';
import { confirm } from './confirm.ts';
import { type Differences, differencesOf, positionsIn } from './differences.ts';
import { type Pass, readPass, savePass } from './pass.ts';
import { staleItems } from './staleItems.ts';

/** A pass begins once a day. Half an hour less, because the function starts once an hour and never to the second. */
const passEveryMs = 23.5 * 3_600_000;

/** How late the index may be without being wrong. Another alarm says when it is later than five minutes. */
const lateMs = 15 * 60_000;

/** How much the next run repeats at most when a run was killed. */
const saveEveryMs = 30_000;

/**
 * Continues the verification of the whole index, or begins one when the last began a day ago. It repairs nothing, so that what is
 * wrong is there for the person who looks for the cause. Two runs at once would compare the same twice, and do no harm.
 * @param deadline epoch milliseconds
 */
export async function verifyIndex(deadline: number): Promise<void> {
  const last = await readPass();
  const isOver = last === undefined || last.next.part === 'nothing';
  if (isOver && last && Date.now() < last.startedAt + passEveryMs) return;
  const pass: Pass = isOver
    ? { startedAt: Date.now(), next: { part: 'records' }, checked: 0, wrong: 0 }
    : last;
  let savedAt = Date.now();
  for await (const _ of steps(pass)) {
    if (Date.now() >= deadline) break;
    if (Date.now() - savedAt < saveEveryMs) continue;
    await savePass(pass);
    savedAt = Date.now();
  }
  await savePass(pass);
  const { checked, wrong, next } = pass;
  const isComplete = next.part === 'nothing';
  // That nothing is wrong can be said of the whole only.
  const metrics = isComplete || wrong > 0 ? indexDifferences(wrong) : {};
  log.info('verified the index', { checked, complete: isComplete, ...metrics });
}

/** Yields before each step of a pass. The pass says what the step is. */
async function* steps(pass: Pass): AsyncGenerator<void> {
  if (pass.next.part === 'records') {
    const { from } = pass.next;
    for await (const { count, ...one } of chunksOf(notedCollections(from?.ref), from)) {
      pass.next = { part: 'records', from: one };
      yield;
      await judgeAndCount(pass, await differencesOf(one.ref, one.chunk, count));
    }
    pass.next = { part: 'items' };
  }
  while (pass.next.part === 'items') {
    yield;
    const { checked, differences, next } = await staleItems(pass.next.from);
    pass.checked += checked;
    for (const one of differences) await judgeAndCount(pass, one);
    pass.next = next ? { part: 'items', from: next } : { part: 'nothing' };
  }
}

/** Confirms differences, counts what is wrong, and describes the first of it. */
async function judgeAndCount(pass: Pass, differences: Differences): Promise<void> {
  const { ref, checked, items, marks } = await confirm(
    differences,
    new Date(Date.now() - lateMs).toISOString(),
  );
  const wrong = positionsIn(items) + marks.length;
  pass.checked += checked;
  pass.wrong += wrong;
  if (wrong === 0) return;
  const [item] = items;
  log.error('the index is wrong', {
    account: ref.account,
    type: ref.type,
    entries: wrong,
    ...(item ? { first: item.key, position: [...item.evaluated, ...item.added.keys()][0] } : {}),
  });
}
