import type * as z from 'zod';

/**
 * What is wrong with an input, each problem as a sentence that names the field and says what is allowed there.
 * @param nameOf how a name is written that may be one that the sender made up
 */
export function problemsOf(error: Pick<z.ZodError, 'issues'> | undefined, nameOf = shown): string[] {
  return (error?.issues ?? []).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [sentence(issue.path, issue.message, nameOf)];
    return issue.keys.map((key) => sentence([...issue.path, key], issue.message, nameOf));
  });
}

/** As much of what leads to a field is shown: names are up to `shown`, and so is how deep they stand. */
const placeMax = 200;

/** A problem with a field: what leads to it, and what is allowed there. */
export function sentence(path: readonly PropertyKey[], message: string, nameOf = shown): string {
  const name = path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`;
    const text = nameOf(String(part));
    return before === '' ? text : `${before}.${text}`;
  }, '');
  if (name === '') return message;
  return `${name.length > placeMax ? `${name.slice(0, placeMax).toWellFormed()}…` : name} ${message}`;
}

/** A name that a client sent, as a message can show it: cut off, and in quotes when it could be taken for something else. */
export function shown(name: string): string {
  const text = name.length > 64 ? `${name.slice(0, 64).toWellFormed()}…` : name;
  return /^[\w-]+$/.test(text) ? text : JSON.stringify(text);
}
