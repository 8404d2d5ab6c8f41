import type { ServerResponse } from 'node:http';
import type { Random } from '../../simulation/random.ts';

/** How a receiver answers an event. */
export interface Behaviour {
  name: string;
  /** Whether it closes its port for a while from time to time. */
  closes: boolean;
  /** What it does with the first attempts at an event; the rest is accepted. */
  failures(random: Random): readonly Failure[];
  /** How long it takes, in milliseconds. */
  delayMs(random: Random): number;
}

/** Refuses one attempt. */
export type Failure = (answer: ServerResponse) => void;

const status =
  (code: number, headers = {}): Failure =>
  (answer) =>
    answer.writeHead(code, headers).end('The soak refuses this attempt.');

const kinds: readonly Failure[] = [
  status(500),
  status(429, { 'Retry-After': '2' }),
  status(503),
  status(302, { Location: 'http://127.0.0.1:9/' }),
  (answer) => void answer.destroy(),
];

const none: readonly Failure[] = [];
const quick = () => 0;
const isEvery = (random: Random, nth: number): boolean => random.below(nth) === 0;

/** It refuses the first attempt at some events, and the second one at a few: three attempts take a minute and a few seconds. */
const someFailures = (random: Random): readonly Failure[] =>
  isEvery(random, 20)
    ? Array.from({ length: isEvery(random, 10) ? 2 : 1 }, () => kinds[random.below(kinds.length)] as Failure)
    : none;

export const behaviours = {
  healthy: { name: 'healthy', closes: false, failures: () => none, delayMs: quick },
  slow: {
    name: 'slow',
    closes: false,
    failures: () => none,
    delayMs: (random) => 300 + random.below(1500),
  },
  erring: { name: 'erring', closes: false, failures: someFailures, delayMs: quick },
  closing: { name: 'closing', closes: true, failures: () => none, delayMs: quick },
} satisfies Record<string, Behaviour>;
