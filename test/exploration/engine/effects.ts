import type { Actor, PendingCall, Timer } from './actor.ts';
import { contestedBy } from './choices.ts';
import { textOf } from './digest.ts';
import { conflictError, timeoutError } from './errors.ts';
import type { Choice, LateCall, Role } from './model.ts';
import type { World } from './world.ts';

/** Lets a choice happen. @returns what a schedule says of it */
type Effect = (world: World, choice: Choice) => string;

const performs: Effect = (world, choice) => {
  const [actor, { nth, call, attempt, begunMs, resolve, reject }] = taken(world, choice);
  try {
    const answer = call.perform(attempt);
    actor.learn(`${nth} ${textOf(answer)}`, begunMs);
    resolve(answer);
    return call.label;
  } catch (error) {
    actor.learn(`${nth} ${textOf(error)}`, begunMs);
    reject(error);
    return `${call.label}: ${(error as Error).name}`;
  }
};

const continues: Effect = (world, { actor: name, nth }) => {
  const actor = world.actorOf(name);
  const timer = actor.timers.find((one) => one.nth === nth) as Timer;
  const ms = Math.max(0, timer.due - world.now);
  timer.cancel();
  world.now += ms;
  actor.learn(`${nth} continues`);
  timer.fire();
  return ms > 0 ? `goes on after ${Math.round(ms)} ms` : 'goes on';
};

/**
 * Its calls that are under way take no effect. Nothing is left out by that: a call that takes effect before its sender dies is one that was
 * answered before it dies.
 */
const dies: Effect = (world, { actor: name }) => {
  const role = world.roles.get(name) as Role;
  world.actorOf(name).die();
  if (role.isRestarted) world.start(`${name}'`, { ...role, mayDie: false });
  return 'dies';
};

/** The SDK gives up. What it has sent may still take effect. */
const getsNoAnswer: Effect = (world, choice) => {
  const [actor, { nth, call, begunMs, reject }] = taken(world, choice);
  if (call.writes.length > 0) world.late.push({ sender: actor.name, nth, call });
  actor.learn(`${nth} no answer`, begunMs);
  reject(timeoutError());
  return `gets no answer to: ${call.label}`;
};

/** The SDK sends a call once more. The first one may still take effect, before or after the second. */
const repeats: Effect = (world, choice) => {
  const [actor, pending] = taken(world, choice);
  world.late.push({ sender: actor.name, nth: pending.nth, call: pending.call });
  actor.calls.push({ ...pending, attempt: 2 });
  return `sends again, without an answer: ${pending.call.label}`;
};

const meets: Effect = (world, choice) => {
  const [actor, pending] = taken(world, choice);
  const { nth, call, begunMs, reject } = pending;
  const contested = contestedBy(world, actor, pending);
  actor.learn(`${nth} conflict ${contested}`, begunMs);
  reject(conflictError(call, contested));
  return `meets another transaction: ${call.label}`;
};

const arrivesLate: Effect = (world, { actor, nth }) => {
  const found = world.late.find((one) => one.sender === actor && one.nth === nth) as LateCall;
  world.late = world.late.filter((one) => one !== found);
  try {
    found.call.perform(1);
    return `(late) ${found.call.label}`;
  } catch (error) {
    return `(late) ${found.call.label}: ${(error as Error).name}`;
  }
};

export const effects: Record<Choice['kind'], Effect> = {
  performs,
  continues,
  dies,
  'gets no answer': getsNoAnswer,
  repeats,
  meets,
  'arrives late': arrivesLate,
};

/** Takes the call of a choice from those that its actor waits for. */
function taken(world: World, { actor: name, nth }: Choice): [Actor, PendingCall] {
  const actor = world.actorOf(name);
  const pending = actor.calls.find((one) => one.nth === nth);
  if (!pending)
    throw new Error(`A run that was repeated has no call ${nth} of ${name}: it is not deterministic`);
  actor.calls = actor.calls.filter((one) => one !== pending);
  return [actor, pending];
}
