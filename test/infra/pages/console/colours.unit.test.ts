import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

// The colours of the charts are told apart by people who see red and green, and by those who do not, in both themes.

const read = (name: string) =>
  readFileSync(new URL(`../../../../infra/pages/console/style/${name}`, import.meta.url), 'utf8');

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** The parts of a colour, as light adds up. */
const colourOf = (hex: string): number[] => {
  const whole = hex.length === 4 ? hex.replace(/\w/g, '$&$&') : hex;
  return [1, 3, 5].map((at) => linear(Number.parseInt(whole.slice(at, at + 2), 16) / 255));
};

/** The two colours of `light-dark()`, by the name of what has them. */
const pairsOf = (text: string, shape: RegExp): Record<string, string[]> =>
  Object.fromEntries([...text.matchAll(shape)].map(([, name = '', ...pair]) => [name, pair]));

const tones = pairsOf(read('usage.css'), /\.(tone-\w+) \{\s*--tone: light-dark\((#\w+), (#\w+)\)/g);
const { ground = [] } = pairsOf(read('base.css'), /--(ground): light-dark\((#\w+), (#\w+)\)/g);

/** Machado, Oliveira and Fernandes 2009: what is seen without the cones for red, or for green. */
const eyes: Record<string, number[][]> = {
  'all colours': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no red': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no green': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

const product = (matrix: number[][], colour: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((sum, value, n) => sum + value * (colour[n] as number), 0));

/** In OKLab, in which distances are as people see them. https://bottosson.github.io/posts/oklab/ */
function seen(colour: readonly number[], eye: string): number[] {
  const cones = product(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    product(eyes[eye] as number[][], colour).map((value) => Math.max(0, value)),
  ).map(Math.cbrt);
  return product(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

const distance = (one: number[], other: number[], eye: string): number => {
  const second = seen(other, eye);
  return Math.hypot(...seen(one, eye).map((value, n) => value - (second[n] as number)));
};

const brightness = (colour: number[]): number => product([[0.2126, 0.7152, 0.0722]], colour)[0] as number;

const sets = {
  'of status': ['tone-2xx', 'tone-4xx', 'tone-5xx'],
  'of groups and of all others': ['tone-0', 'tone-1', 'tone-2', 'tone-3', 'tone-4', 'tone-5'],
};

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('the colours in the %s theme', (_, theme) => {
  const toneOf = (name: string) => colourOf(tones[name]?.[theme] as string);

  test.each(Object.entries(sets))('%s are apart for every eye', (_name, names) => {
    // A difference that is just seen is 0.02.
    for (const eye of Object.keys(eyes))
      for (const [n, one] of names.entries())
        for (const other of names.slice(n + 1))
          expect(distance(toneOf(one), toneOf(other), eye), `${one} ${other}: ${eye}`).toBeGreaterThan(0.12);
  });

  // WCAG 2.2, 1.4.11.
  test.each(Object.values(sets).flat())('%s has a contrast of 3 to what it is on', (name) => {
    const [low = 0, high = 0] = [toneOf(name), colourOf(ground[theme] as string)]
      .map(brightness)
      .sort((a, b) => a - b);
    expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(3);
  });
});
