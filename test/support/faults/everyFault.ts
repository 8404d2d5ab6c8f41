import { expect } from 'vitest';
import { inPool, limitedTo } from '../data/pool.ts';
import { shapeOf } from '../data/stored.ts';
import { checkError } from '../http/api.ts';
import { shortMs } from '../pipeline/stream.ts';
import { type Fault, faultsOf, isKill, type useFaultyDatabase } from './faults.ts';
import { killedByThePlatform } from './platform.ts';

type Database = ReturnType<typeof useFaultyDatabase>;

/** The most requests of one test at the same time. Those with a fault that hangs mostly wait. */
const atOnce = { hanging: 10, others: 4 };

/** Runs a test of every fault. */
export async function withEachFault(faults: readonly Fault[], meet: (fault: Fault) => Promise<void>) {
  const { hanging = [], others = [] } = Object.groupBy(faults, ({ name }) =>
    name.startsWith('hangs') ? 'hanging' : 'others',
  );
  await Promise.all([inPool(atOnce.hanging, hanging, meet), inPool(atOnce.others, others, meet)]);
}

interface InvocationWithFaults<Given> {
  /** Makes as many things to work on. */
  given(count: number): Promise<Given[]>;
  /** @param ms how long it may go on, when it meets a fault */
  invoke(given: Given, ms?: number): Promise<unknown>;
  /** What the platform does then, and what must hold after that. @param first undefined when the invocation was killed */
  after(given: Given, first: unknown, label: string): Promise<void>;
}

/** At each call of an invocation, every fault, each with things of its own. @returns its calls, and all things that it worked on */
export async function meetEachFault<Given>(
  database: Database,
  { given, invoke, after }: InvocationWithFaults<Given>,
): Promise<{ calls: readonly string[]; all: Given[] }> {
  const [undisturbed] = (await given(1)) as [Given];
  const { calls } = await database.run(() => invoke(undisturbed));
  const met = faultsOf(calls);
  const all = await given(met.length);
  await inPool(12, [...met.entries()], async ([i, fault]) => {
    const label = `call ${fault.at} of ${calls.join(', ')}: ${fault.name}`;
    const one = all[i] as Given;
    const first = await database.runUntilKilled(() => invoke(one, shortMs), fault);
    if (!isKill(fault)) expect(first, label).toBeDefined();
    await after(one, first, label);
  });
  return { calls, all: [undisturbed, ...all] };
}

/**
 * Does a part of a test without a fault, and waits while twelve are under way: vitest runs five tests of a file at the same time. With
 * all of them together, calls would take longer than the two seconds that the SDK waits for an answer when the machine does other
 * work as well. The SDK does not send these calls again, because the faults before them have used up its retries.
 */
const undisturbed = limitedTo(12);

/** The time of a Lambda. */
export const lambdaMs = 10_000;

/** The time of a retry. Its effect counts here, and not how long a busy machine takes for it. */
export const retryMs = 60_000;

interface Answer {
  statusCode: number;
  body: string;
}

/** A request in an account of its own, sent to the handler of an operation. */
interface GivenRequest {
  account: string;
  send(ms: number): Promise<Answer>;
}

interface OperationWithFaults {
  given(): Promise<GivenRequest>;
  /** The first status. */
  status: number;
  /** The statuses that a repetition may have. */
  repeated: readonly number[];
  /** What of a body is the same in a repetition; undefined when the operation does a thing once more, and answers what came of it. */
  kept: ((body: string) => unknown) | undefined;
  /** What is stored in an account. */
  stateOf(account: string): Promise<unknown>;
  /** What else must hold after the repetition. */
  check(after: { account: string; state: unknown; again: Answer; label: string }): unknown;
}

/** At each call of an operation, every fault; then the client sends its request again, which has one effect. */
export async function expectOneEffect(
  database: Database,
  { given, status, repeated, kept, stateOf, check }: OperationWithFaults,
): Promise<void> {
  const answerIn = ({ send }: GivenRequest, ms: number) => Promise.race([send(ms), killedByThePlatform(ms)]);
  const model = await given();
  const { result, calls } = await database.run(() => answerIn(model, lambdaMs));
  expect(result.statusCode, result.body).toBe(status);
  expect(calls.length).toBeGreaterThan(0);
  const expected = shapeOf(await stateOf(model.account));
  await withEachFault(faultsOf(calls), async (fault) => {
    const label = `call ${fault.at} of ${calls.join(', ')}: ${fault.name}`;
    const request = await undisturbed(given);
    const first = await database.runUntilKilled(() => answerIn(request, lambdaMs), fault);
    if (!isKill(fault)) expect([status, 500], label).toContain(first?.statusCode);
    if (first?.statusCode === 500) checkError(500, JSON.parse(first.body));
    const again = await undisturbed(() => answerIn(request, retryMs));
    expect([status, ...repeated], `${label}: ${again.body}`).toContain(again.statusCode);
    if (first?.statusCode === status && kept) expect(kept(again.body), label).toEqual(kept(first.body));
    await undisturbed(async () => {
      const { account } = request;
      const state = await stateOf(account);
      expect(shapeOf(state), label).toEqual(expected);
      await check({ account, state, again, label });
    });
  });
}
