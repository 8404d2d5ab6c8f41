import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../simulation/random.ts';
import { Caller } from './client/caller.ts';
import { openFaultServer } from './faults/faultServer.ts';
import { scheduleOf } from './faults/schedule.ts';
import { someWork } from './load/mix.ts';
import { openLoop } from './load/openLoop.ts';
import { givenPrograms, type Programs } from './programs.ts';
import { Reporter } from './report/reporter.ts';
import { summaryOf, wrongWithMemory } from './report/summary.ts';
import { Violations } from './report/violations.ts';
import { SoakStack } from './soakStack.ts';
import { verify } from './verify/verify.ts';

export interface SoakOptions {
  minutes: number;
  /** Requests in a second. */
  rate: number;
  seed: number;
  /** How often the stack is killed. */
  kills: number;
  /** The most resident memory of the stack, in MB. */
  memory: number;
}

/** Where a soak runs, and who looks on. */
export interface Stage {
  /** The data directory of the stack. */
  folder: string;
  print(line: string): void;
  /** Ends the load. What was done until then is verified. */
  signal: AbortSignal;
}

/** Runs a soak. @returns how much was wrong */
export async function soak(options: SoakOptions, { folder, print, signal }: Stage): Promise<number> {
  const faults = await openFaultServer();
  const stack = new SoakStack(folder, faults.port);
  const violations = new Violations();
  const caller = new Caller({
    url: () => stack.url,
    explains: stack.explains.bind(stack),
    record: (kind, ms) => reporter.record(kind, ms),
    violations,
  });
  const reporter = new Reporter({ stack, caller, faults, violations }, print);
  let programs: Programs | undefined;
  try {
    await stack.start();
    programs = await givenPrograms(folder, { caller, violations, random: new Random(options.seed) });
    reporter.begin(programs.subscribers);
    await load(options, { stack, programs, signal });
    await verify(programs, print);
    for (const wrong of wrongWithMemory(reporter.memory, options.memory)) violations.add(wrong);
    for (const line of summaryOf(programs, reporter, violations)) print(line);
    return violations.count;
  } finally {
    reporter.end();
    await stack.stop();
    for (const { receiver } of programs?.subscribers ?? []) await receiver.close();
    faults.close();
  }
}

interface Loaded {
  stack: SoakStack;
  programs: Programs;
  signal: AbortSignal;
}

/** Receivers close in this part of the load. A delivery that they refuse four times is tried again after a quarter of an hour. */
const closingShare = 0.75;

/** The load, with the faults, and with what runs beside it. */
async function load({ minutes, rate, seed, kills }: SoakOptions, { stack, programs, signal }: Loaded) {
  const { accounts, followers, subscribers, consumer } = programs;
  const ms = 60_000 * minutes;
  const schedule = scheduleOf(seed, { from: Date.now(), ms, kills });
  stack.meetFaults(schedule.windows);
  const ending = new AbortController();
  const closing = AbortSignal.any([ending.signal, AbortSignal.timeout(Math.round(closingShare * ms))]);
  const beside = [
    ...followers.map((follower) => follower.follow(ending.signal)),
    consumer.consume(ending.signal),
    ...subscribers.map(({ receiver }) => receiver.closeAtTimes(closing)),
    killAtTimes(stack, schedule.kills, ending.signal),
  ];
  const random = new Random(seed);
  await openLoop({ perSecond: rate, ms, signal }, (dueAt) => {
    const account = accounts[random.below(accounts.length)] as (typeof accounts)[number];
    return someWork(random)(account, dueAt).catch((error) => account.report(String(error.stack)));
  });
  ending.abort();
  await Promise.all(beside);
}

async function killAtTimes(stack: SoakStack, times: readonly number[], signal: AbortSignal): Promise<void> {
  for (const time of times) {
    await sleep(Math.max(0, time - Date.now()), undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await stack.killAndRestart();
  }
}
