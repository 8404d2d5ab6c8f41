import type * as z from 'zod';
import { cut, quoted } from '../errors/quoted.ts';

type Issue = z.ZodError['issues'][number];

/**
 * Returns the problems of an input. Each is a sentence that names the field and says what is allowed.
 * @param nameOf formats a name that the client may have invented
 * @param hint describes the rejected value: `hintOf` in a response, and nothing if the sentences are logged
 */
export function problemsOf(
  error: Pick<z.ZodError, 'issues'> | undefined,
  nameOf = shown,
  hint: (issue: Issue) => string = () => '',
): string[] {
  return (error?.issues ?? []).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys')
      return [sentence(issue.path, issue.message, nameOf) + hint(issue)];
    return unknownNames(issue, nameOf);
  });
}

/** Returns a sentence for each unknown name of an object. The first one says what is allowed. */
export const unknownNames = (
  { keys, path, message }: z.core.$ZodIssueUnrecognizedKeys,
  nameOf = shown,
): string[] =>
  keys.map((key, i) =>
    sentence([...path, key], i === 0 ? message : message.replace(/ \(allowed: .*\)$/, ''), nameOf),
  );

/**
 * Returns what the client probably meant, in brackets after the sentence. It repeats a part of the request, so it does not belong to the rule,
 * which may be kept.
 */
export const hintOf = (issue: Issue): string => {
  const { hint } = (issue.code === 'custom' && issue.params) || {};
  return hint === undefined ? '' : ` (${hint})`;
};

/** How many characters the path to a field can have in a message, because paths may be deep and names long. */
const placeMax = 200;

/** Returns a sentence about a problem: the path to the field, and what is allowed. */
export function sentence(path: readonly PropertyKey[], message: string, nameOf = shown): string {
  const name = path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`;
    const text = nameOf(String(part));
    return before === '' ? text : `${before}.${text}`;
  }, '');
  if (name === '') return message;
  return `${name.length > placeMax ? `${name.slice(0, placeMax).toWellFormed()}…` : name} ${message}`;
}

/** Formats a name from a client for a message: like `quoted`, but without quotes if it is a plain word. */
export const shown = (name: string): string => (/^[\w-]+$/.test(cut(name)) ? name : quoted(name));
