import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { type Action, type Transacted, transact } from '../../dynamodb/transact.ts';

/** How long conflicts with other writes are retried. */
const limitMs = 3000;

/**
 * Commits actions on a subscription. New events lengthen the log in the same item all the time, so conflicts are retried.
 * @returns refused only when a condition has failed
 * @throws Error when all tries have met other writes
 */
export const commit = (actions: readonly Action[]): Promise<Transacted> =>
  untilCommitted(Date.now() + limitMs, async () => {
    const result = await transact(actions);
    return result.committed || result.refused.some(({ kind }) => kind === 'refused') ? result : undefined;
  });
