import { AsyncLocalStorage } from 'node:async_hooks';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { divertLog } from '../run/logLines.ts';
import { type Call, connectionLost, failure, onWire, type Send, success } from './wire.ts';

type Answer = Awaited<ReturnType<Send>>;

/** A port that never answers, and the request timeout of the caller; undefined for the usual timeout. */
interface Silence {
  port: number;
  hangMs: number | undefined;
}

/** A fault of one call to the database or to the queues. */
type ActivityEvent = (call: Call, send: Send, silence: Silence) => Promise<Answer>;

/** Sends a call and drops its answer. The answer is read to its end: otherwise its connection would stay in use. */
async function effectOf(send: Send): Promise<void> {
  const { response } = await send();
  response.body.resume();
}

/**
 * How long each further answer takes of a fault that lasts. Code that repeats a call until its time is over would otherwise send
 * hundreds in that time, and they show no more than a few.
 */
const furtherAnswerMs = 100;

/** The answer to a killed process: it never comes. */
const never = new Promise<never>(() => {});

const happenings = {
  'fails before': async () => failure('InternalServerError', {}, 500),
  'loses its answer': async (_, send) => {
    await effectOf(send);
    throw connectionLost();
  },
  'is throttled': async () => failure('ThrottlingException'),
  hangs: (_, send, { port, hangMs }) => send(port, hangMs),
  conflicts: async ({ name, input }, send) => {
    if (name === 'TransactWriteItems') {
      const reasons = (input.TransactItems as object[]).map((_, i) => ({
        Code: i === 0 ? 'TransactionConflict' : 'None',
      }));
      return failure('TransactionCanceledException', { CancellationReasons: reasons });
    }
    if (name === 'BatchExecuteStatement') {
      const error = { Error: { Code: 'TransactionConflict', Message: 'Conflict' } };
      return success({ Responses: (input.Statements as object[]).map(() => error) });
    }
    return /^(Put|Update|Delete)Item$/.test(name) ? failure('TransactionConflictException') : send();
  },
} satisfies Record<string, ActivityEvent>;

/** A fault of an invocation: its kind, the call that it begins with, and whether it continues. */
export interface Fault {
  name: string;
  /** The index of the first call that it hits. */
  at: number;
  happening: ActivityEvent;
  lasts: boolean;
}

const kinds: Omit<Fault, 'at'>[] = [
  ...Object.entries(happenings).flatMap(([name, happening]) => [
    { name: `${name} once`, happening, lasts: false },
    { name: `${name} from then on`, happening, lasts: true },
  ]),
  { name: 'is the last before the process is killed', happening: () => never, lasts: true },
  {
    name: 'takes effect as the process is killed',
    happening: async (_, send) => {
      await effectOf(send);
      return never;
    },
    lasts: true,
  },
];

/** Calls that only read. */
const reads = /^(?:GetItem|BatchGetItem|TransactGetItems|Query|Scan)$/;

/** At a call that only reads, these are another fault under another name: it meets no conflict, and has no effect to lose. */
const ofWritesAlone = /^(?:conflicts|loses its answer from then on|takes effect)/;

/**
 * Every fault for an invocation with these calls. Queries one after the other read the partitions of one queue together, and scans
 * the segments of tables: the first of them stands for all.
 */
export const faultsOf = (calls: readonly string[]): Fault[] =>
  calls.flatMap((call, at) => {
    if (/^(?:Query|Scan)$/.test(call) && calls[at - 1] === call) return [];
    const met = reads.test(call) ? kinds.filter(({ name }) => !ofWritesAlone.test(name)) : kinds;
    return met.map((kind) => ({ ...kind, at }));
  });

export const isKill = ({ name }: Fault): boolean => name.includes('killed');

/** One invocation of a Lambda: its calls so far, and the fault that it meets. */
interface Invocation {
  calls: string[];
  fault: Fault | undefined;
  /** The calls that have been sent, and not been answered. */
  underWay: Set<Promise<unknown>>;
}

/**
 * A faulty database and faulty queues for the tests of a file. The log of the handlers is not shown.
 * @param hangMs the request timeout for a hanging call, when it may be shorter than the real one
 */
export function useFaultyDatabase({ hangMs }: { hangMs?: number } = {}): FaultyDatabase {
  const database = new FaultyDatabase(hangMs);
  let log: ReturnType<typeof divertLog>;
  beforeAll(async () => {
    log = divertLog();
    await database.open();
  });
  afterAll(async () => {
    await database.close();
    log.end();
  });
  return database;
}

function noted<T>(invocation: Invocation | undefined, sent: Promise<T>): Promise<T> {
  const over = sent.finally(() => invocation?.underWay.delete(over));
  invocation?.underWay.add(over);
  return over;
}

/** Injects a separate fault into each invocation, although they run concurrently in one process. */
class FaultyDatabase {
  private readonly invocation = new AsyncLocalStorage<Invocation>();
  private readonly sockets = new Set<Socket>();
  private readonly silence = createServer((socket) => this.sockets.add(socket));
  private readonly hangMs: number | undefined;
  /** The processes that may be killed. A killed one waits for answers until its time is over. */
  private readonly processes: Promise<unknown>[] = [];
  private isClosed = false;
  /** All processes have ended. What one of them has left under way is never answered, so that it logs nothing any more. */
  private isOver = false;
  /** Rejects when the database closes. */
  private readonly closed = Promise.withResolvers<never>();

  constructor(hangMs: number | undefined) {
    this.hangMs = hangMs;
    this.closed.promise.catch(() => {});
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.silence.listen(0, '127.0.0.1', resolve));
    const { port } = this.silence.address() as AddressInfo;
    // It stays: each file has its own clients, and what a process has left under way uses those of its file.
    onWire(async (call, sendIt) => {
      const invocation = this.invocation.getStore();
      const send: Send = (...args) => noted(invocation, sendIt(...args));
      if (invocation && this.isOver) return never;
      if (invocation && this.isClosed) return this.closed.promise;
      const at = invocation?.calls.push(call.name) ?? 0;
      const { fault } = invocation ?? {};
      const callsSince = fault ? at - 1 - fault.at : -1;
      if (!fault || callsSince < 0 || (callsSince > 0 && !fault.lasts)) return send();
      if (callsSince > 0) await sleep(furtherAnswerMs);
      if (this.isOver) return never;
      return Promise.race([fault.happening(call, send, { port, hangMs: this.hangMs }), this.closed.promise]);
    });
  }

  /** Ends the killed processes, so that they log nothing and send nothing while the tests of the next file run. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.closed.reject(new Error('The process was killed'));
    await Promise.allSettled(this.processes);
    // A process that had ended before may have left a call under way. What it logs about that call comes first.
    await setImmediate();
    this.isOver = true;
    for (const socket of this.sockets) socket.destroy();
    this.silence.close();
  }

  private async effectsOf({ underWay }: Invocation): Promise<void> {
    for (let more = true; more; more = underWay.size > 0) {
      await setImmediate();
      await Promise.allSettled([...underWay]);
    }
  }

  /** Runs work. @returns its result and its calls, in order */
  async run<T>(work: () => Promise<T>, fault?: Fault): Promise<{ result: T; calls: readonly string[] }> {
    const invocation: Invocation = { calls: [], fault, underWay: new Set() };
    const result = await this.invocation.run(invocation, work);
    return { result, calls: invocation.calls };
  }

  /** The same for a process that may be killed; undefined when it was. */
  async runUntilKilled<T>(work: () => Promise<T>, fault: Fault): Promise<T | undefined> {
    const invocation: Invocation = { calls: [], fault, underWay: new Set() };
    const killed = Promise.withResolvers<undefined>();
    const { happening } = fault;
    invocation.fault = {
      ...fault,
      happening: (...call) => {
        const answer = happening(...call);
        // The other calls of the invocation that are under way still take effect. Their answers are lost.
        if (isKill(fault)) void this.effectsOf(invocation).then(() => killed.resolve(undefined));
        return answer;
      },
    };
    const running = this.invocation.run(invocation, work);
    this.processes.push(running);
    return Promise.race([running, killed.promise]);
  }
}
