import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { type Action, transact, type Verdict } from '../../dynamodb/transact.ts';

/** How long conflicts with other writes are retried. */
const patienceMs = 3000;

/**
 * Commits actions on a subscription. New events lengthen the log in the same item all the time, so conflicts are retried.
 * @returns undefined when committed, otherwise the verdicts: a condition has failed
 * @throws Error when all tries have met other writes
 */
export async function commit(actions: readonly Action[]): Promise<Verdict[] | undefined> {
  const { verdicts } = await untilCommitted(Date.now() + patienceMs, async () => {
    const verdicts = await transact(actions);
    return !verdicts || verdicts.some(({ kind }) => kind === 'refused') ? { verdicts } : undefined;
  });
  return verdicts;
}
