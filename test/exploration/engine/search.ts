import { sqs } from '../../../lib/aws/queues.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { Tables } from '../../simulation/tables.ts';
import { withSeparateMemory } from '../../support/data/separateMemory.ts';
import { send } from './database.ts';
import type { Choice, Limits, Role } from './model.ts';
import { World } from './world.ts';

/** What several actors do at the same time, and what must hold whatever happens. */
export interface Scenario {
  name: string;
  /** Each is explored. */
  limits: readonly Limits[];
  /** Writes what is there before a run. */
  prepare?(): Promise<void>;
  /** The actors of a run. */
  roles(): Role[];
  /** Sets what is not in the tables, before a run. */
  arrange?(): void;
  /** Notes, after each step, what `check` has to know of the steps before. */
  observe?(): void;
  /** @throws Violation when the items, or what the actors know, are not as promised */
  check(world: World): void;
}

/** A scenario within one of its limits. */
export type Bounded = Omit<Scenario, 'limits'> & { limits: Limits };

/** Something that was promised does not hold. */
export class Violation extends Error {
  override name = 'Violation';
}

export interface Explored {
  /** Different states. */
  states: number;
  /** How often one state was left for another. */
  steps: number;
  runs: number;
  /** The most steps of a run. */
  depth: number;
  violation?: { message: string; schedule: string[] };
}

/** A state on the way of the run, and which of its choices is next. */
interface Fork {
  choices: readonly Choice[];
  next: number;
  key: string;
}

/** Lets the calls of lib to the database and to queues go to the world of the run. */
export const connect = (): unknown => [dynamodb(), sqs()].map((client) => Object.assign(client, { send }));

/**
 * Lets a scenario happen in every order. A run is a list of choices: which call takes effect next, which timer fires, what fails. The code
 * cannot be set back to an earlier state, so each run starts over and repeats the choices up to the last one that has another left.
 *
 * A state that was met before is not explored again. That leaves nothing out: what can happen after it depends on the items, on the
 * time, on what is left of the limits, on the calls that may arrive late, and on the state of each actor; and the code of an actor is
 * deterministic, so its state depends only on what it has learnt and when (`Actor.remember` says how far the order counts). All of these
 * are in the key.
 */
export async function explore(scenario: Bounded): Promise<Explored> {
  const { tables } = new World(new Tables(), scenario.limits);
  await withSeparateMemory(async () => scenario.prepare?.());
  const known = new Map<string, number>();
  const explored: Explored = { states: 0, steps: 0, runs: 0, depth: 0 };
  const way: Fork[] = [];
  do {
    explored.runs += 1;
    const world = await repeat(scenario, tables, way);
    try {
      await goOn(world, scenario, way, known, explored);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      return { ...explored, states: known.size, violation: await describe(scenario, tables, way, error) };
    }
    while (way.length > 0 && isDone(way.at(-1) as Fork)) way.pop();
  } while (way.length > 0);
  return { ...explored, states: known.size };
}

/** Goes to the next choice of a fork. @returns whether it has no other */
const isDone = (fork: Fork): boolean => {
  fork.next += 1;
  return fork.next >= fork.choices.length;
};

/** A new run, with the choices of the way. */
async function repeat(
  scenario: Bounded,
  tables: Tables,
  way: readonly Fork[],
  trace?: string[],
): Promise<World> {
  const world = new World(tables.copy(), scenario.limits);
  scenario.arrange?.();
  await world.begin(scenario.roles(), { observe: scenario.observe, trace });
  const last = way.at(-1);
  for (const fork of way) {
    if (fork === last && fork.key !== world.key())
      throw new Error('A run that was repeated came into another state: the code is not deterministic');
    await world.take(fork.choices[fork.next] as Choice);
  }
  return world;
}

/** Goes on to a state that is known, or to the end of the run. */
async function goOn(
  world: World,
  scenario: Bounded,
  way: Fork[],
  known: Map<string, number>,
  explored: Explored,
): Promise<void> {
  if (way.length > 0) explored.steps += 1;
  for (;;) {
    const key = world.key();
    if ((known.get(key) ?? -1) >= world.left.switches) return;
    known.set(key, world.left.switches);
    const error = world.unexpectedError();
    if (error) throw new Violation(`An actor ended with an error: ${error.stack}`);
    scenario.check(world);
    const choices = world.choices();
    if (choices.length === 0 && !world.isOver)
      throw new Violation('Somebody waits for something that never comes');
    if (choices.length === 0) return;
    way.push({ choices, next: 0, key });
    explored.depth = Math.max(explored.depth, way.length);
    await world.take(choices[0] as Choice);
    explored.steps += 1;
  }
}

async function describe(
  scenario: Bounded,
  tables: Tables,
  way: readonly Fork[],
  { message }: Violation,
): Promise<{ message: string; schedule: string[] }> {
  const schedule: string[] = [];
  await repeat(scenario, tables, way, schedule);
  return { message, schedule };
}
