import { seeded } from '../usage/random.ts';
import { isWhole } from './extent.ts';

/** New in each run and printed at its end. The environment variable repeats a sample. */
const seed = Number(process.env.TEST_SEED);

type Random = (below: number) => number;

/** A source of random whole numbers that follows from the seed of the run and a name alone, and not from the order of tests. */
export const randomOf = (name: string): Random =>
  seeded([...name].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0)) | 0, seed));

interface Sampling<T> {
  /** The name of the suite. Suites with different names take different samples. */
  name: string;
  /** How many of the entries are taken. */
  count: number;
  /** Of each kind as many are taken as of every other, or one less. Without it, each entry is a kind of its own. */
  kindOf?: (entry: T) => unknown;
  /** The index of a case whose suite takes a sample for each of many: its sample goes on with the kind after that of the case before. */
  turn?: number;
}

/** A sample of the entries of an exhaustive suite. Under `npm run test:rest` it is all of them. */
export const sampleOf = <T>(entries: readonly T[], sampling: Sampling<T>): T[] =>
  isWhole ? [...entries] : drawn(entries, sampling);

/** The same in every run. */
export function drawn<T>(
  entries: readonly T[],
  { name, count, kindOf = (entry) => entry, turn = 0 }: Sampling<T>,
): T[] {
  if (entries.length <= count) return [...entries];
  const kinds = shuffled([...Map.groupBy(entries, kindOf).values()], randomOf(name));
  const left = kinds.map((kind, i) => shuffled(kind, randomOf(`${name} ${turn} ${i}`)));
  const taken: T[] = [];
  for (let i = turn * count; taken.length < count; i++)
    taken.push(...(left[i % left.length] as T[]).splice(0, 1));
  return taken;
}

function shuffled<T>(entries: readonly T[], random: Random): T[] {
  const all = [...entries];
  for (let i = all.length - 1; i > 0; i--) {
    const other = random(i + 1);
    [all[i], all[other]] = [all[other] as T, all[i] as T];
  }
  return all;
}
