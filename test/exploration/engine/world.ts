import type { Tables } from '../../simulation/tables.ts';
import { beginning } from '../../simulation/virtualTime.ts';
import { Actor, untilAllWait } from './actor.ts';
import { choicesIn } from './choices.ts';
import { digest, digestOf, textOf } from './digest.ts';
import { effects } from './effects.ts';
import type { Choice, LateCall, Limits, Role } from './model.ts';

/** What follows a run: a schedule that gets a line for each step, and what is called after each. */
interface Observers {
  observe?: (() => void) | undefined;
  trace?: string[] | undefined;
}

/** The world of the run that is under way. */
let present: World | undefined;

export function presentWorld(): World {
  if (!present) throw new Error('No run is under way');
  return present;
}

/** The time in the run that is under way, epoch milliseconds. */
export const presentTime = (): number => present?.now ?? beginning;

/** One run: its actors, the items of the database, and what can happen next. */
export class World {
  readonly tables: Tables;
  now = beginning;
  readonly actors: Actor[] = [];
  readonly roles = new Map<string, Role>();
  readonly left: Required<Limits>;
  /** Who went on last. */
  last = '';
  late: LateCall[] = [];
  private trace: string[] | undefined;
  private observe: (() => void) | undefined;

  constructor(tables: Tables, limits: Limits) {
    this.tables = tables;
    this.left = { switches: Number.POSITIVE_INFINITY, ...limits };
    present = this;
  }

  async begin(roles: readonly Role[], { observe, trace }: Observers = {}): Promise<void> {
    this.trace = trace;
    this.observe = observe;
    for (const role of roles) this.start(role.name, role);
    await this.untilAllWait();
  }

  /** What became of the work of an actor; undefined while it goes on, and after a death. */
  outcomeOf = (name: string): Actor['outcome'] => this.actors.find((actor) => actor.name === name)?.outcome;

  actorOf = (name: string): Actor => this.actors.find((actor) => actor.name === name) as Actor;

  /** An error that the work of an actor must not end with. */
  unexpectedError(): Error | undefined {
    for (const { name, outcome } of this.actors)
      if (outcome && 'error' in outcome && !this.expects(name, outcome.error)) return outcome.error;
    return undefined;
  }

  /** Whether nobody does anything any more. Late calls may still arrive. */
  get isOver(): boolean {
    return this.actors.every(({ isDead, outcome }) => isDead || outcome !== undefined);
  }

  /** All that decides what can still happen, and whether it is right; but for how many switches are left. */
  key(): string {
    const items = [...this.tables.entries()].map(([name, item]) => `${name} ${digestOf(item)}`).sort();
    const actors = this.actors.map((actor) => `${actor.name} ${actor.state()}`);
    const late = this.late.map(({ sender, nth, call }) => `${sender} ${nth} ${call.content?.()}`).sort();
    const { faults, stalls, switches } = this.left;
    const last = switches === Number.POSITIVE_INFINITY ? '' : this.last;
    return digest(textOf([this.now, faults, stalls, last, actors, late, items]));
  }

  choices = (): Choice[] => choicesIn(this);

  async take(choice: Choice): Promise<void> {
    this.left.faults -= choice.cost.faults ?? 0;
    this.left.stalls -= choice.cost.stalls ?? 0;
    this.left.switches -= choice.cost.switches ?? 0;
    if (choice.kind === 'performs' || choice.kind === 'continues') this.last = choice.actor;
    const note = effects[choice.kind](this, choice);
    this.trace?.push(`${choice.actor} ${note}`);
    await this.untilAllWait();
  }

  private expects(actor: string, { name }: Error): boolean {
    return name === 'TimeoutError' || (this.roles.get(actor)?.errors?.includes(name) ?? false);
  }

  private async untilAllWait(): Promise<void> {
    await untilAllWait();
    for (const actor of this.actors) actor.remember();
    this.observe?.();
  }

  /** Starts an actor in the middle of a run, or at its beginning. */
  start(name: string, role: Role): void {
    const actor = new Actor(name, () => this.now);
    this.roles.set(name, role);
    this.actors.push(actor);
    actor.start(role.run);
  }
}
