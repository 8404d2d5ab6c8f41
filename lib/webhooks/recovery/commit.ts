import { pause } from '../../dynamodb/conflicts.ts';
import { type Action, transact, type Verdict } from '../../dynamodb/transact.ts';
import { noteConflict } from '../../metrics.ts';

const triesMax = 10;
const pauseMs = 30;

/**
 * Commits actions on a subscription. New events lengthen the log in the same item all the time, so conflicts are retried.
 * @returns undefined when committed, otherwise the verdicts: a condition has failed
 * @throws Error when all tries have met other writes
 */
export async function commit(actions: readonly Action[]): Promise<Verdict[] | undefined> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const verdicts = await transact(actions);
    if (!verdicts || verdicts.some(({ kind }) => kind === 'refused')) return verdicts;
    noteConflict();
    await pause(tries * pauseMs);
  }
  throw new Error('Other writes were at the same subscription all the time');
}
