import type * as z from 'zod';
import { cut, quoted } from '../errors/quoted.ts';

type Issue = z.ZodError['issues'][number];

/**
 * The problems of an input. Each is a sentence that names the field and says what is allowed there.
 * @param nameOf how a name is written that the sender may have invented
 * @param hint what is said of the value that was sent: `hintOf` in an answer, and nothing where the sentences are logged
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

/** A sentence for each unknown name of an object. The first one says what is allowed there. */
export const unknownNames = (
  { keys, path, message }: z.core.$ZodIssueUnrecognizedKeys,
  nameOf = shown,
): string[] =>
  keys.map((key, i) =>
    sentence([...path, key], i === 0 ? message : message.replace(/ \(allowed: .*\)$/, ''), nameOf),
  );

/**
 * What the sender probably meant, in brackets after the sentence. It repeats what was sent, so it is not part of the rule, which may be
 * kept.
 */
export const hintOf = (issue: Issue): string => {
  const { hint } = (issue.code === 'custom' && issue.params) || {};
  return hint === undefined ? '' : ` (${hint})`;
};

/** The most characters of a path to a field in a message: paths may be deep, and names long. */
const placeMax = 200;

/** A problem of a field: the path to it, and what is allowed there. */
export function sentence(path: readonly PropertyKey[], message: string, nameOf = shown): string {
  const name = path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`;
    const text = nameOf(String(part));
    return before === '' ? text : `${before}.${text}`;
  }, '');
  if (name === '') return message;
  return `${name.length > placeMax ? `${name.slice(0, placeMax).toWellFormed()}…` : name} ${message}`;
}

/** A name that a client sent, for a message: as `quoted`, and without quotes if it is a plain word. */
export const shown = (name: string): string => (/^[\w-]+$/.test(cut(name)) ? name : quoted(name));
