import type * as z from 'zod';
import { isObject } from './json.ts';
import { hintOf, problemsOf, shown } from './problemMessages.ts';
import { list, uniqueBy } from './structure.ts';
import { externalId } from './texts.ts';

/** The most entries of a batch: as many as one read of the database returns. */
export const batchMax = 100;

/** The most bytes of a batch. */
export const batchBytesMax = 1024 * 1024;

/**
 * The most characters about an entry that was refused. All of a batch together then stay far below the 6 MB that a Lambda may
 * answer.
 */
export const refusalMax = 4000;

/** An entry of a batch whose text has a problem. No schema takes it, so it is refused as one that is not valid. */
export class SpoiltEntry {
  /** undefined when it cannot be read. */
  readonly sent: unknown;
  readonly problems: readonly string[];

  constructor(sent: unknown, problems: readonly string[]) {
    this.sent = sent;
    this.problems = problems;
  }
}

/** An entry of a batch that is not valid. It is refused alone: the others of its batch are stored. */
export class RefusedEntry {
  /** The external id that was sent, if it is one. */
  readonly external_id: string | undefined;
  readonly problems: readonly string[];

  constructor(sent: unknown, problems: readonly string[]) {
    const named = isObject(sent) ? (sent as { external_id?: unknown }).external_id : undefined;
    this.external_id = externalId().safeParse(named).data;
    this.problems = problems;
  }
}

/** A rule of the whole entry has no name before it. */
const ofEntry = (sentence: string): string => sentence.replace(/^(?=(?:must|has|is) )/, 'The entry ');

const entryProblems = (error: Pick<z.ZodError, 'issues'> | undefined): string[] =>
  problemsOf(error, shown, hintOf).map(ofEntry);

function refused(entry: z.ZodType, input: unknown, error: Pick<z.ZodError, 'issues'>): RefusedEntry {
  if (!(input instanceof SpoiltEntry)) return new RefusedEntry(input, entryProblems(error));
  const { sent } = input;
  // An entry that cannot be read has no fields to check.
  const more = sent === undefined ? [] : entryProblems(entry.safeParse(sent).error);
  return new RefusedEntry(sent, [...input.problems.map(ofEntry), ...more]);
}

/**
 * A list of records with different external ids, each of which is valid or refused alone. A list with an external id twice is
 * refused: the order of its two records would decide what is stored.
 */
export const batchOf = <Entry extends z.ZodType<{ external_id: string }>>(entry: Entry) =>
  list(
    // `catch` of zod replaces what is not valid, and nothing else of the list.
    entry.catch(({ input, error }) => refused(entry, input, error) as never) as unknown as z.ZodType<
      z.output<Entry> | RefusedEntry,
      z.input<Entry>
    >,
    { min: 1, max: batchMax },
  ).check(uniqueBy('external_id'));
