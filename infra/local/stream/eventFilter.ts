import { StartError } from '../process/startError.ts';
import type { Json, JsonObject } from '../template/intrinsics.ts';

export type EventFilter = (event: unknown) => boolean;

/** The value is undefined if the event does not have the field. */
type Matcher = (value: unknown) => boolean;

/**
 * Implements the part of event patterns that our filters use: equality, exists, prefix and suffix.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 * @param what names the resource with the filters in error messages
 * @returns a filter that passes events matching at least one pattern, or all events if there is no pattern
 * @throws StartError for an invalid pattern, or a part that the local stack does not know
 */
export function eventFilter(what: string, patterns: readonly string[]): EventFilter {
  const filters = patterns.map((text) => ofPattern(what, parse(what, text)));
  return (event) => filters.length === 0 || filters.some((matches) => matches(event));
}

function parse(what: string, text: string): JsonObject {
  let pattern: unknown;
  try {
    pattern = JSON.parse(text);
  } catch {
    throw unsupported(what, text, 'is not JSON');
  }
  if (!isObject(pattern)) throw unsupported(what, text, 'is not an object');
  return pattern as JsonObject;
}

const unsupported = (what: string, part: string, reason: string): StartError =>
  new StartError(
    `The filter of ${what} has ${part}, which ${reason}. The local stack supports lists of strings, numbers, {"exists": …}, {"prefix": …} and {"suffix": …}.`,
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All fields of a pattern must match. */
function ofPattern(what: string, pattern: JsonObject): Matcher {
  const fields = Object.entries(pattern).map(([name, part]): [string, Matcher] => [name, ofPart(what, part)]);
  return (value) => fields.every(([name, matches]) => matches(isObject(value) ? value[name] : undefined));
}

/** One entry of a list must match. */
function ofPart(what: string, part: Json): Matcher {
  if (isObject(part)) return ofPattern(what, part as JsonObject);
  if (!Array.isArray(part) || part.length === 0)
    throw unsupported(what, JSON.stringify(part), 'is neither an object nor a list with entries');
  const matchers = part.map((entry) => ofEntry(what, entry));
  return (value) => matchers.some((matches) => matches(value));
}

function ofEntry(what: string, entry: Json): Matcher {
  if (typeof entry === 'string' || typeof entry === 'number') return ofLeaf((leaf) => leaf === entry);
  if (isObject(entry) && Object.keys(entry).length === 1) {
    const { exists, prefix, suffix } = entry;
    if (typeof prefix === 'string')
      return ofLeaf((leaf) => typeof leaf === 'string' && leaf.startsWith(prefix));
    if (typeof suffix === 'string')
      return ofLeaf((leaf) => typeof leaf === 'string' && leaf.endsWith(suffix));
    if (typeof exists === 'boolean') return (value) => ofLeaf(() => true)(value) === exists;
  }
  throw unsupported(what, JSON.stringify(entry), 'is not supported');
}

/** Tests only leaves: one matching element of a list is enough, and an object never matches. As on AWS, an object does not "exist". */
const ofLeaf =
  (matches: (leaf: unknown) => boolean): Matcher =>
  (value) =>
    (Array.isArray(value) ? value : [value]).some(
      (leaf) => leaf !== undefined && !isObject(leaf) && matches(leaf),
    );
