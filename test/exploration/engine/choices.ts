import type { Actor, PendingCall, Timer } from './actor.ts';
import type { Choice, Limits } from './model.ts';
import type { World } from './world.ts';

/** What can happen next in a run, within its limits. */
export function choicesIn(world: World): Choice[] {
  const { left, actors, late } = world;
  const choices = [
    ...actors.flatMap((actor) => [...turnsOf(world, actor), ...faultsOf(world, actor)]),
    ...late.map(({ sender, nth }): Choice => ({ kind: 'arrives late', actor: sender, nth, cost: {} })),
  ];
  return choices.filter(
    ({ cost: { faults = 0, stalls = 0, switches = 0 } }) =>
      faults <= left.faults && stalls <= left.stalls && switches <= left.switches,
  );
}

/** The next call or pause of an actor. */
function turnsOf(world: World, actor: Actor): Choice[] {
  const turn = { switches: isSwitch(world, actor) ? 1 : 0 };
  const first = actor.timers.toSorted((a, b) => a.due - b.due || a.nth - b.nth)[0];
  return [
    ...actor.calls.filter(isEnabled).map((one) => choice('performs', actor, one.nth, turn)),
    ...(first
      ? [choice('continues', actor, first.nth, { ...turn, stalls: isNext(world, first) ? 0 : 1 })]
      : []),
  ];
}

function faultsOf(world: World, actor: Actor): Choice[] {
  const { name, calls, timers } = actor;
  const fault = { faults: 1 };
  const mayDie = world.roles.get(name)?.mayDie && calls.length + timers.length > 0;
  return [
    ...(mayDie ? [choice('dies', actor, 0, fault)] : []),
    ...calls
      .filter(({ call }) => !call.isEnabled)
      .flatMap((one) => [
        choice('gets no answer', actor, one.nth, fault),
        ...(one.call.writes.length > 0 && one.attempt === 1
          ? [choice('repeats', actor, one.nth, fault)]
          : []),
        ...(contestedBy(world, actor, one).length > 0 ? [choice('meets', actor, one.nth, fault)] : []),
      ]),
  ];
}

const choice = (kind: Choice['kind'], { name }: Actor, nth: number, cost: Partial<Limits>): Choice => ({
  kind,
  actor: name,
  nth,
  cost,
});

const isEnabled = ({ call }: PendingCall): boolean => call.isEnabled?.() ?? true;

/** Whether an actor would go on although the last one could. */
function isSwitch({ actors, last }: World, { name }: Actor): boolean {
  return name !== last && actors.some((actor) => actor.name === last && actor.calls.some(isEnabled));
}

/** Whether nobody has anything to do before this timer fires. */
const isNext = ({ actors }: World, { due }: Timer): boolean =>
  actors.every(({ calls, timers }) => !calls.some(isEnabled) && timers.every((other) => other.due >= due));

/** The items of a write at which another one is under way, if one of the two is a transaction: DynamoDB may refuse it then. */
export function contestedBy({ actors, late }: World, actor: Actor, { call }: PendingCall): string[] {
  const others = [
    ...actors.filter((one) => one !== actor).flatMap(({ calls }) => calls.map((one) => one.call)),
    ...late.map((one) => one.call),
  ].filter((other) => other !== call && (other.isTransaction || call.isTransaction));
  return call.writes.filter((name) => others.some(({ writes }) => writes.includes(name)));
}
