import { AsyncLocalStorage } from 'node:async_hooks';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { append } from '../../lib/records/commitQueue/append.ts';
import { createRecord } from '../../lib/records/commitQueue/create.ts';
import { deleteNamed } from '../../lib/records/deletion/deleteNamed.ts';
import { type Draft, newDraft, recordAt } from '../../lib/records/recordItem.ts';
import { counterKey, inAccount } from '../../lib/records/recordKeys.ts';
import { byProduct } from '../../lib/records/recordOrigin.ts';
import { type Contact, contacts } from '../../lib/resources/contacts.ts';
import { withSeparateMemory } from '../support/data/separateMemory.ts';
import { SimulatedDatabase } from './database.ts';
import { Random } from './random.ts';
import { elapsedMs, runUntil, sleep } from './virtualTime.ts';

/** What happens in a run, in virtual time. */
export interface Load {
  writers: number;
  seconds: number;
  externalIds: boolean;
  /** The part of creates and bulks whose process dies at one of its calls. */
  deaths: number;
  /** The number of processes that append bulks of 100 contacts meanwhile, one after the other. */
  bulks: number;
  /** The deletions of created contacts in a second, each in a process of its own. */
  deletions: number;
  seed: number;
}

export interface Result {
  times: number[];
  deletionTimes: number[];
  failures: string[];
  died: number;
  bulked: number;
  usage: SimulatedDatabase['usage'];
  ms: number;
}

/** A process that may die: its call number `diesAt` has no answer, and it makes none after that. */
interface Process {
  diesAt: number;
  /** Whether the call takes effect. */
  takesEffect: boolean;
  calls: number;
  isDead: boolean;
  die(): void;
}

const processes = new AsyncLocalStorage<Process>();

const account = 'acc_simulated';
const ref = { account, type: contacts.type };
const deadlineMs = 9000;
const bulkSize = 100;

/** About how many calls each makes, beside others. */
const callsOfCreate = 8;
const callsOfBulk = 50;

/** Lets the calls of lib go to a simulated database, until the process that makes them is dead. */
function connect(database: SimulatedDatabase): void {
  const never = () => new Promise<never>(() => {});
  const send = async (command: never) => {
    const process = processes.getStore();
    if (!process) return database.send(command);
    if (process.isDead) return never();
    process.calls += 1;
    if (process.calls === process.diesAt) {
      process.isDead = true;
      if (process.takesEffect) database.send(command).catch(() => {});
      process.die();
      return never();
    }
    try {
      const answer = await database.send(command);
      return process.isDead ? never() : answer;
    } catch (error) {
      if (process.isDead) return never();
      throw error;
    }
  };
  Object.assign(dynamodb(), { send });
}

/** Runs a load. @throws Error when a record is missing, is there twice, or leaves a hole */
export async function race(load: Load): Promise<Result> {
  const random = new Random(load.seed);
  Math.random = random.next;
  const database = new SimulatedDatabase('aws', random);
  connect(database);
  const run = new Race(load, random);
  const started = elapsedMs();
  await runUntil(run.all());
  const ms = elapsedMs() - started;
  run.verify(database);
  return { ...run.result(), usage: database.usage, ms };
}

class Race {
  private readonly load: Load;
  private readonly random: Random;
  private readonly end: number;
  private readonly times: number[] = [];
  private readonly deletionTimes: number[] = [];
  private readonly failures: string[] = [];
  private readonly acknowledged = new Set<string>();
  private started = 0;
  private died = 0;
  private bulked = 0;
  private deleted = 0;

  constructor(load: Load, random: Random) {
    this.load = load;
    this.random = random;
    this.end = elapsedMs() + load.seconds * 1000;
  }

  result = () => {
    const { times, deletionTimes, failures, died, bulked } = this;
    return { times, deletionTimes, failures, died, bulked };
  };

  all(): Promise<unknown> {
    const each = (count: number, work: () => Promise<void>) =>
      Array.from({ length: count }, () => withSeparateMemory(work));
    return Promise.all([
      ...each(this.load.writers, () => this.writer()),
      ...each(this.load.bulks, () => this.bulkWriter()),
      this.deletions(),
    ]);
  }

  /** Deletes contacts at a steady rate, from the first ones on. */
  private async deletions(): Promise<void> {
    const { deletions } = this.load;
    const running: Promise<void>[] = [];
    for (let nth = 0; deletions > 0 && elapsedMs() < this.end; ) {
      await sleep((1000 / deletions) * 2 * this.random.next());
      const id = [...this.acknowledged][nth];
      if (id !== undefined) running.push(withSeparateMemory(() => this.delete(id)));
      nth = running.length;
    }
    await Promise.all(running);
  }

  private async delete(recordId: string): Promise<void> {
    const started = elapsedMs();
    const options = { origin: byProduct, deadline: Date.now() + deadlineMs };
    try {
      await deleteNamed(ref, { recordId }, options);
      this.deletionTimes.push(elapsedMs() - started);
      this.deleted += 1;
    } catch (error) {
      this.failures.push(`deletion: ${error}`);
    }
  }

  private async writer(): Promise<void> {
    while (elapsedMs() < this.end) await this.create();
  }

  /** Creates a contact, in a process of its own that may die. */
  private async create(): Promise<void> {
    const nth = this.started++;
    const external_id = this.load.externalIds ? `e${nth}` : null;
    const content = { ...contacts.blank, note: `n${nth}`, external_id };
    const started = elapsedMs();
    try {
      const made = await this.mortal(callsOfCreate, () =>
        createRecord(inAccount(contacts, account), content, {
          deadline: Date.now() + deadlineMs,
          origin: byProduct,
        }),
      );
      if (made === 'died') return;
      this.times.push(elapsedMs() - started);
      this.acknowledged.add(made.body.id);
    } catch (error) {
      this.failures.push(String(error));
      await sleep(deadlineMs);
    }
  }

  private async bulkWriter(): Promise<void> {
    while (elapsedMs() < this.end) await this.bulk();
  }

  /** Appends a bulk of contacts, in a process of its own that may die. */
  private async bulk(): Promise<void> {
    const drafts = Array.from({ length: bulkSize }, (): Draft<Contact> => {
      const nth = this.started++;
      return newDraft<Contact>(contacts, { ...contacts.blank, note: `n${nth}`, external_id: `e${nth}` });
    });
    const outcomes = await this.mortal(callsOfBulk, () =>
      append(inAccount(contacts, account), drafts, Date.now() + deadlineMs),
    );
    if (outcomes === 'died') return;
    for (const [draft, outcome] of outcomes)
      if (outcome.kind === 'committed') this.acknowledged.add(recordAt(contacts, draft, outcome).id);
    this.bulked += outcomes.size;
    if (outcomes.size < drafts.length) this.failures.push('a bulk was not appended in time');
  }

  /** Does work in a process that may die at one of its first calls. */
  private mortal<T>(calls: number, work: () => Promise<T>): Promise<T | 'died'> {
    const dies = this.random.next() < this.load.deaths;
    const { promise: death, resolve } = Promise.withResolvers<'died'>();
    const process: Process = {
      diesAt: dies ? 1 + this.random.below(calls) : 0,
      takesEffect: this.random.next() < 0.5,
      calls: 0,
      isDead: false,
      die: () => {
        this.died += 1;
        resolve('died');
      },
    };
    return Promise.race([processes.run(process, work), death]);
  }

  verify(database: SimulatedDatabase): void {
    const count = (database.get(counterKey(ref))?.count as number | undefined) ?? 0;
    const records = database.items().filter(({ pk }) => /#contact#\d+$/.test(String(pk)));
    const positions = new Set(records.map(({ sk }) => Number(sk)));
    for (let position = 0; position < count; position++)
      if (!positions.has(position)) throw new Error(`There is no record at the position ${position}`);
    if (records.length !== count)
      throw new Error(`${records.length} records, and the counter counts ${count}`);
    const living = records.filter(({ deleted_at }) => deleted_at === undefined);
    if (new Set(living.map(({ note }) => note)).size !== living.length)
      throw new Error('A draft was committed twice');
    const ids = new Set(records.map(({ id }) => id));
    for (const id of this.acknowledged)
      if (!ids.has(id)) throw new Error(`The record ${id} was acknowledged, and is not there`);
  }
}
