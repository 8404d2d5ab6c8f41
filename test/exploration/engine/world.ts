import type { Tables } from '../../simulation/tables.ts';
import { beginning } from '../../simulation/virtualTime.ts';
import { Actor, type Call, type PendingCall, type Timer, untilAllWait } from './actor.ts';
import { digest, digestOf, textOf } from './digest.ts';
import { conflictOf, timeoutError } from './errors.ts';

/** What an actor does. */
export interface Role {
  name: string;
  run(): Promise<unknown>;
  /** Whether its process may die. */
  mayDie?: boolean;
  /** Whether its work is begun again after its death, by another process. */
  isRestarted?: boolean;
}

/** How much a run may have of what would make runs endless. */
export interface Limits {
  /** Deaths, lost answers and conflicts together. */
  faults: number;
  /** How often time passes although a call is under way, or who waits longer goes on first. */
  stalls: number;
  /** How often another actor goes on although the last one could have; without it, any number of times. */
  switches?: number;
}

/** What can happen next. */
export interface Choice {
  kind: 'performs' | 'continues' | 'dies' | 'gets no answer' | 'repeats' | 'meets' | 'arrives late';
  actor: string;
  nth: number;
  cost: Partial<Limits>;
}

export const nameOf = ({ kind, actor, nth }: Choice): string => `${actor} ${kind} ${nth}`;

/** A call whose sender does not wait for it any more, or has sent it once more: it may take effect at any time, or never. */
interface LateCall {
  sender: string;
  nth: number;
  call: Call;
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
  private readonly roles = new Map<string, Role>();
  private readonly left: Required<Limits>;
  /** Who went on last. */
  private last = '';
  private late: LateCall[] = [];
  private trace: string[] | undefined;

  constructor(tables: Tables, limits: Limits) {
    this.tables = tables;
    this.left = { switches: Number.POSITIVE_INFINITY, ...limits };
    present = this;
  }

  async begin(roles: readonly Role[], trace?: string[]): Promise<void> {
    this.trace = trace;
    for (const role of roles) this.start(role.name, role);
    await this.untilAllWait();
  }

  /** What became of the work of an actor; undefined while it goes on, and after a death. */
  outcomeOf = (name: string): Actor['outcome'] => this.actors.find((actor) => actor.name === name)?.outcome;

  /** Whether nobody does anything any more. Late calls may still arrive. */
  get isOver(): boolean {
    return this.actors.every(({ isDead, outcome }) => isDead || outcome !== undefined);
  }

  /** How many switches are left. */
  get switchesLeft(): number {
    return this.left.switches;
  }

  /** All that decides what can still happen, and whether it is right; but for how many switches are left. */
  key(): string {
    const items = [...this.tables.entries()].map(([name, item]) => `${name} ${digestOf(item)}`).sort();
    const actors = this.actors.map((actor) => `${actor.name} ${actor.state()}`);
    const late = this.late.map(({ sender, nth }) => `${sender} ${nth}`).sort();
    const { faults, stalls, switches } = this.left;
    const last = switches === Number.POSITIVE_INFINITY ? '' : this.last;
    return digest(textOf([this.now, faults, stalls, last, actors, late, items]));
  }

  choices(): Choice[] {
    const choices = [...this.actors.flatMap((actor) => this.choicesOf(actor)), ...this.lateChoices()];
    return choices.filter(
      ({ cost: { faults = 0, stalls = 0, switches = 0 } }) =>
        faults <= this.left.faults && stalls <= this.left.stalls && switches <= this.left.switches,
    );
  }

  async take(choice: Choice): Promise<void> {
    this.left.faults -= choice.cost.faults ?? 0;
    this.left.stalls -= choice.cost.stalls ?? 0;
    this.left.switches -= choice.cost.switches ?? 0;
    if (choice.kind === 'performs' || choice.kind === 'continues') this.last = choice.actor;
    const note = this.effects[choice.kind](choice);
    this.trace?.push(`${choice.actor} ${note}`);
    await this.untilAllWait();
  }

  private async untilAllWait(): Promise<void> {
    await untilAllWait();
    for (const actor of this.actors) actor.remember();
  }

  private start(name: string, role: Role): void {
    const actor = new Actor(name, () => this.now);
    this.roles.set(name, role);
    this.actors.push(actor);
    actor.start(role.run);
  }

  private choicesOf(actor: Actor): Choice[] {
    const { name, calls, timers } = actor;
    const choice = (kind: Choice['kind'], nth: number, cost: Partial<Limits> = {}) => ({
      kind,
      actor: name,
      nth,
      cost,
    });
    const enabled = calls.filter(({ call }) => call.isEnabled?.() ?? true);
    const first = timers.toSorted((a, b) => a.due - b.due || a.nth - b.nth)[0];
    const fault = { faults: 1 };
    const turn = { switches: this.isSwitch(name) ? 1 : 0 };
    return [
      ...enabled.map(({ nth }) => choice('performs', nth, turn)),
      ...(first ? [choice('continues', first.nth, { ...turn, stalls: this.isNext(first) ? 0 : 1 })] : []),
      ...(this.roles.get(name)?.mayDie && calls.length + timers.length > 0 ? [choice('dies', 0, fault)] : []),
      ...enabled
        .filter(({ call }) => !call.isEnabled)
        .flatMap((one) => [
          choice('gets no answer', one.nth, fault),
          ...(one.call.writes.length > 0 && one.attempt === 1 ? [choice('repeats', one.nth, fault)] : []),
          ...(this.isMet(actor, one) ? [choice('meets', one.nth, fault)] : []),
        ]),
    ];
  }

  /** Whether an actor would go on although the last one could. */
  private isSwitch(name: string): boolean {
    const last = this.actors.find((actor) => actor.name === this.last);
    return name !== this.last && (last?.calls.some(({ call }) => call.isEnabled?.() ?? true) ?? false);
  }

  /** Whether nobody has anything to do before this timer fires. */
  private isNext({ due }: Timer): boolean {
    return this.actors.every(
      ({ calls, timers }) =>
        calls.every(({ call }) => call.isEnabled?.() === false) && timers.every((other) => other.due >= due),
    );
  }

  /** Whether another transaction is under way at an item that a call writes; or another write, when it is a transaction itself. */
  private isMet(actor: Actor, { call }: PendingCall): boolean {
    const others = [
      ...this.actors.filter((one) => one !== actor).flatMap(({ calls }) => calls.map((one) => one.call)),
      ...this.late.map((one) => one.call),
    ];
    return others.some(
      (other) =>
        (other.isTransaction || call.isTransaction) &&
        other !== call &&
        other.writes.some((name) => call.writes.includes(name)),
    );
  }

  private lateChoices = (): Choice[] =>
    this.late.map(({ sender, nth }) => ({ kind: 'arrives late', actor: sender, nth, cost: {} }));

  private readonly effects: Record<Choice['kind'], (choice: Choice) => string> = {
    performs: (choice) => {
      const [actor, { nth, call, attempt, begunMs, resolve, reject }] = this.take1(choice);
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
    },
    continues: ({ actor: name, nth }) => {
      const actor = this.actorOf(name);
      const timer = actor.timers.find((one) => one.nth === nth) as Timer;
      timer.cancel();
      const ms = timer.due - this.now;
      this.now = Math.max(this.now, timer.due);
      actor.learn(`${nth} continues`);
      timer.fire();
      return ms > 0 ? `goes on after ${Math.round(ms)} ms` : 'goes on';
    },
    dies: ({ actor: name }) => {
      const role = this.roles.get(name) as Role;
      this.actorOf(name).die();
      if (role.isRestarted) this.start(`${name}'`, { ...role, mayDie: false });
      return 'dies';
    },
    'gets no answer': (choice) => {
      const [actor, { nth, call, begunMs, reject }] = this.take1(choice);
      if (call.writes.length > 0) this.late.push({ sender: actor.name, nth, call });
      actor.learn(`${nth} no answer`, begunMs);
      reject(timeoutError());
      return `gets no answer to: ${call.label}`;
    },
    repeats: (choice) => {
      const [actor, pending] = this.take1(choice);
      this.late.push({ sender: actor.name, nth: pending.nth, call: pending.call });
      actor.calls.push({ ...pending, attempt: 2 });
      return `sends again, without an answer: ${pending.call.label}`;
    },
    meets: (choice) => {
      const [actor, { nth, call, begunMs, reject }] = this.take1(choice);
      actor.learn(`${nth} conflict`, begunMs);
      reject(conflictOf(call));
      return `meets another transaction: ${call.label}`;
    },
    'arrives late': ({ actor, nth }) => {
      const found = this.late.find((one) => one.sender === actor && one.nth === nth) as LateCall;
      this.late = this.late.filter((one) => one !== found);
      try {
        found.call.perform(1);
        return `(late) ${found.call.label}`;
      } catch (error) {
        return `(late) ${found.call.label}: ${(error as Error).name}`;
      }
    },
  };

  private actorOf(name: string): Actor {
    return this.actors.find((actor) => actor.name === name) as Actor;
  }

  private take1({ actor: name, nth }: Choice): [Actor, PendingCall] {
    const actor = this.actorOf(name);
    const pending = actor.calls.find((one) => one.nth === nth) as PendingCall;
    actor.calls = actor.calls.filter((one) => one !== pending);
    return [actor, pending];
  }
}
