import type * as z from 'zod';
import { isObject } from './json.ts';
import { hintOf, problemsOf, shown } from './problemMessages.ts';
import { list, uniqueBy } from './structure.ts';
import { externalId } from './texts.ts';

/** How many entries a batch can have: as many as one read of the database returns. */
export const batchMax = 100;

/** How many bytes a batch can have. */
export const batchBytesMax = 1024 * 1024;

/**
 * How many characters the message about a rejected entry can have. A whole batch of messages then stays far below the 6 MB that a Lambda can
 * return.
 */
export const refusalMax = 4000;

/** An entry of a batch whose text has a problem. No schema accepts it, so it is rejected like any invalid entry. */
export class SpoiltEntry {
  /** undefined if the text cannot be read. */
  readonly sent: unknown;
  readonly problems: readonly string[];

  constructor(sent: unknown, problems: readonly string[]) {
    this.sent = sent;
    this.problems = problems;
  }
}

/** An invalid entry of a batch. Only this entry is rejected, and the others of its batch are stored. */
export class RefusedEntry {
  /** The external id in the entry, if it is valid. */
  readonly external_id: string | undefined;
  readonly problems: readonly string[];

  constructor(sent: unknown, problems: readonly string[]) {
    const named = isObject(sent) ? (sent as { external_id?: unknown }).external_id : undefined;
    this.external_id = externalId().safeParse(named).data;
    this.problems = problems;
  }
}

/** Adds a subject to rules of the whole entry, which name no field. */
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
 * A list of records with different external ids. Each record is accepted or rejected on its own. A list that contains an external id twice is
 * rejected, because the order of its two records would decide what is stored.
 */
export const batchOf = <Entry extends z.ZodType<{ external_id: string }>>(entry: Entry) =>
  list(
    // zod's `catch` replaces invalid entries, and leaves the rest of the list.
    entry.catch(({ input, error }) => refused(entry, input, error) as never) as unknown as z.ZodType<
      z.output<Entry> | RefusedEntry,
      z.input<Entry>
    >,
    { min: 1, max: batchMax },
  ).check(uniqueBy('external_id'));
