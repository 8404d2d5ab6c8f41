import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { log } from '../../logs/log.ts';
import { enqueue, type RedeliveryMessage } from '../jobs/queue.ts';
import { isUntried, makeStep, type Step } from './makeStep.ts';
import { findRedelivery, messageFor, type Redelivery } from './redelivery.ts';

/** How long a step is repeated while others are at the same items. */
const limitMs = 5000;

/** The most steps of one message. They are short, but a message must not work for long. */
const stepsMax = 5;

/** How long the next message is delayed when attempts have to be made first. */
const waitSeconds = 1;

/**
 * Handles a message that lets a bulk redelivery go on: makes some steps, and sends the next message. A message that is received
 * twice does no harm, because each step requires the number of steps before it.
 */
export async function continueRedelivery(message: RedeliveryMessage): Promise<void> {
  const { account, subscription_id, redelivery_id, run } = message;
  const redelivery = await findRedelivery(account, subscription_id, redelivery_id);
  if (redelivery?.state !== 'running' || redelivery.runs !== run) return;
  // The next message waits until the last delivery was tried: that leaves the pace to the receiver.
  if (await isUntried(account, subscription_id, redelivery))
    return void (await enqueue([messageFor(redelivery, waitSeconds)]));
  const { kind, after } = await makeSteps(account, subscription_id, redelivery);
  // The message that was faster goes on.
  if (kind === 'overtaken') return;
  if (after.state !== 'running') logEnd(account, subscription_id, after);
  // The next message of one that waits is sent by the sweep.
  if (after.state !== 'running' || kind === 'waits') return;
  const hasRestarted = after.redelivered > redelivery.redelivered;
  await enqueue([messageFor(after, hasRestarted ? waitSeconds : 0)]);
}

/** @returns what the last of some steps has come to, and the redelivery after them */
async function makeSteps(
  account: string,
  subscription: string,
  redelivery: Redelivery,
): Promise<{ kind: Step['kind']; after: Redelivery }> {
  let current = redelivery;
  for (let steps = 0; steps < stepsMax && current.state === 'running'; steps++) {
    const before = current;
    const restarted = before.redelivered - redelivery.redelivered;
    const step = await untilCommitted(Date.now() + limitMs, () =>
      makeStep(account, subscription, before, restarted),
    );
    if (step.kind !== 'moved') return { kind: step.kind, after: before };
    current = step.after;
    if (step.room <= 0) break;
  }
  return { kind: 'moved', after: current };
}

function logEnd(account: string, subscription_id: string, { sk, ...redelivery }: Redelivery): void {
  const { state, total, redelivered, skipped } = redelivery;
  log.info('a bulk redelivery ended', {
    account,
    subscription_id,
    redelivery_id: sk,
    state,
    total,
    redelivered,
    skipped,
  });
}
