import { AsyncLocalStorage } from 'node:async_hooks';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { divertLog } from '../run/logLines.ts';
import { type Call, connectionLost, failure, onWire, type Send } from './wire.ts';

type Answer = Awaited<ReturnType<Send>>;

/** Where nobody ever answers, and how long the caller waits there; undefined for as long as it always does. */
interface Silence {
  port: number;
  hangMs: number | undefined;
}

/** What can happen on its way to one call to the database or to the queues. */
type Happening = (call: Call, send: Send, silence: Silence) => Promise<Answer>;

/** Lets a call take effect whose answer nobody reads; read to its end, or its connection would never be free again. */
async function effectOf(send: Send): Promise<void> {
  const { response } = await send();
  response.body.resume();
}

/** A process that has ended: nothing it waits for will ever come. */
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
    return /^(Put|Update|Delete)Item$/.test(name) ? failure('TransactionConflictException') : send();
  },
} satisfies Record<string, Happening>;

/** A fault: what happens, to which call of an invocation, and whether it goes on like this. */
export interface Fault {
  name: string;
  /** The call that it begins with, counted from 0. */
  at: number;
  happening: Happening;
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

/** Every fault that can hit one of so many calls. */
export const faultsAt = (calls: number): Fault[] =>
  Array.from({ length: calls }, (_, at) => kinds.map((kind) => ({ ...kind, at }))).flat();

export const isKill = ({ name }: Fault): boolean => name.includes('killed');

/** One invocation of a Lambda: its calls so far, and the fault that it meets. */
interface Invocation {
  calls: string[];
  fault: Fault | undefined;
}

/**
 * A faulty database, and faulty queues, for the tests of a file; what their handlers log is kept from the screen.
 * @param hangMs how long a call that hangs is waited for, where it need not be as long as in truth
 */
export function useFaultyDatabase({ hangMs }: { hangMs?: number } = {}): FaultyDatabase {
  const database = new FaultyDatabase(hangMs);
  let log: ReturnType<typeof divertLog>;
  beforeAll(async () => {
    log = divertLog();
    await database.open();
  });
  afterAll(() => {
    database.close();
    log.end();
  });
  return database;
}

/** Lets invocations meet faults, each its own, though they run side by side in one process. */
class FaultyDatabase {
  private readonly invocation = new AsyncLocalStorage<Invocation>();
  private readonly sockets = new Set<Socket>();
  private readonly silence = createServer((socket) => this.sockets.add(socket));
  private readonly hangMs: number | undefined;
  private undo = () => {};

  constructor(hangMs: number | undefined) {
    this.hangMs = hangMs;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.silence.listen(0, '127.0.0.1', resolve));
    const { port } = this.silence.address() as AddressInfo;
    this.undo = onWire((call, send) => {
      const invocation = this.invocation.getStore();
      const at = invocation?.calls.push(call.name) ?? 0;
      const { fault } = invocation ?? {};
      const isHit = fault && (at - 1 === fault.at || (fault.lasts && at - 1 > fault.at));
      return isHit ? fault.happening(call, send, { port, hangMs: this.hangMs }) : send();
    });
  }

  close(): void {
    this.undo();
    for (const socket of this.sockets) socket.destroy();
    this.silence.close();
  }

  /** Runs something; the calls it made are told in their order. */
  async run<T>(work: () => Promise<T>, fault?: Fault): Promise<{ result: T; calls: readonly string[] }> {
    const invocation: Invocation = { calls: [], fault };
    const result = await this.invocation.run(invocation, work);
    return { result, calls: invocation.calls };
  }

  /** The same, for a process that may be killed: undefined when that has happened. */
  async runUntilKilled<T>(work: () => Promise<T>, fault: Fault): Promise<T | undefined> {
    const invocation: Invocation = { calls: [], fault };
    const killed = Promise.withResolvers<undefined>();
    const { happening } = fault;
    invocation.fault = {
      ...fault,
      happening: (...call) => {
        const answer = happening(...call);
        // Everything else the invocation has under way still arrives; only nobody hears of it.
        if (isKill(fault)) setTimeout(() => killed.resolve(undefined), 50);
        return answer;
      },
    };
    return Promise.race([this.invocation.run(invocation, work), killed.promise]);
  }
}
