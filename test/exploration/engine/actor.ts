import { AsyncLocalStorage } from 'node:async_hooks';
import { withSeparateMemory } from '../../support/data/separateMemory.ts';
import { digest, textOf } from './digest.ts';

/** How long a call takes for its caller. The clock of all stands still meanwhile. */
const callMs = 5;

const actors = new AsyncLocalStorage<Actor>();

/** The actor whose code runs at this moment; undefined for the code of the exploration. */
export const currentActor = (): Actor | undefined => actors.getStore();

/** A call to the database, to a queue or to a receiver. It takes effect in one moment. */
export interface Call {
  /** As a schedule prints it. */
  label: string;
  /** The names of the items that it writes; none for a read. */
  writes: readonly string[];
  isTransaction?: boolean;
  /** All that decides what it does; of a read it is not needed. */
  content?(): string;
  /** Whether it can take effect now; without it, always. */
  isEnabled?(): boolean;
  /** Takes effect. @param attempt how often the SDK has sent it @throws the error that the caller gets */
  perform(attempt: number): unknown;
}

/** A call that an actor waits for. */
export interface PendingCall {
  nth: number;
  call: Call;
  attempt: number;
  /** What the stopwatch of the actor showed. */
  begunMs: number;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** A pause of an actor. */
export interface Timer {
  nth: number;
  /** Epoch milliseconds. */
  due: number;
  fire(): void;
  cancel(): void;
}

/** What became of the work of an actor. */
export type Outcome = { value: unknown } | { error: Error };

/** Something that runs beside others, with a memory of its own: a Lambda, for instance. */
export class Actor {
  readonly name: string;
  calls: PendingCall[] = [];
  timers: Timer[] = [];
  isDead = false;
  outcome: Outcome | undefined;
  /** How many random values it has drawn. */
  drawn = 0;
  /** What its calls have taken, one after the other. */
  elapsedMs = 0;
  /** The digest of what it had learnt when it last began something. */
  private history = '';
  /** What it has learnt since. */
  private learnt: string[] = [];
  private begunBefore = 0;
  private begun = 0;
  private readonly now: () => number;

  constructor(name: string, now: () => number) {
    this.name = name;
    this.now = now;
  }

  start(work: () => Promise<unknown>): void {
    actors.run(this, () => {
      withSeparateMemory(work).then(
        (value) => this.end({ value }),
        (error: unknown) => this.end({ error: error as Error }),
      );
    });
  }

  send(call: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { elapsedMs: begunMs } = this;
      if (!this.isDead) this.calls.push({ nth: this.begun++, call, attempt: 1, begunMs, resolve, reject });
    });
  }

  wait(ms: number, fire: () => void): Timer {
    const nth = this.begun++;
    const cancel = () => {
      this.timers = this.timers.filter((one) => one.nth !== nth);
    };
    const timer = { nth, due: this.now() + Math.max(0, ms), fire, cancel };
    if (!this.isDead) this.timers.push(timer);
    return timer;
  }

  /** @param begunMs when the call began whose answer this is */
  learn(what: string, begunMs?: number): void {
    if (begunMs !== undefined) this.elapsedMs = Math.max(this.elapsedMs, begunMs + callMs);
    this.learnt.push(`${this.now()} ${what}`);
  }

  /**
   * Must be called when it waits again. What it learnt without beginning anything counts as a set: code that joins its calls by
   * `Promise.all`, as lib does, cannot tell in which order the answers came.
   */
  remember(): void {
    if (this.begun === this.begunBefore) return;
    this.begunBefore = this.begun;
    this.history = digest(`${this.history} ${this.learnt.sort()}`);
    this.learnt = [];
  }

  die(): void {
    this.isDead = true;
    this.calls = [];
    this.timers = [];
  }

  /** All that decides what it can still do, and what became of it. */
  state(): string {
    if (this.isDead) return 'dead';
    if (this.outcome) return textOf('value' in this.outcome ? this.outcome : String(this.outcome.error));
    const calls = this.calls.map(({ nth, attempt }) => `${nth}/${attempt}`).sort();
    return `${this.history} ${this.learnt.toSorted()} ${calls}`;
  }

  private end(outcome: Outcome): void {
    if (this.isDead) return;
    this.outcome = outcome;
    this.calls = [];
    this.timers = [];
  }
}

const immediate = (): Promise<void> => new Promise((resolve) => globalThis.setImmediate(resolve));

let turns = 0;

/** Waits for the rest of a turn, as `setImmediate` of node:timers/promises does. */
export async function setImmediate(): Promise<void> {
  turns += 1;
  await immediate();
  turns -= 1;
}

/** Lets all actors run until each waits for a call or a timer. */
export async function untilAllWait(): Promise<void> {
  do await immediate();
  while (turns > 0);
}
