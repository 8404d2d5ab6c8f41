import type * as z from 'zod';

/**
 * The problems of an input. Each is a sentence that names the field and says what is allowed there.
 * @param nameOf how a name is written that the sender may have invented
 */
export function problemsOf(error: Pick<z.ZodError, 'issues'> | undefined, nameOf = shown): string[] {
  return (error?.issues ?? []).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [sentence(issue.path, issue.message, nameOf)];
    return issue.keys.map((key) => sentence([...issue.path, key], issue.message, nameOf));
  });
}

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

const shownMax = 64;

const cut = (text: string): string =>
  text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}…` : text;

/** A text without characters that move the cursor of a terminal, change the direction of others or cannot be seen. */
export const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** A text that a client sent, for a message: cut to 64 characters, in quotes and escaped. */
export const quoted = (text: string): string => escaped(JSON.stringify(cut(text)));

/** A name that a client sent, for a message: as `quoted`, and without quotes if it is a plain word. */
export const shown = (name: string): string => (/^[\w-]+$/.test(cut(name)) ? name : quoted(name));
