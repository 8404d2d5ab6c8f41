import { escaped } from '../../lib/errors/quoted.ts';
import { olderLength } from '../../lib/keys/format.ts';

// A key or a secret that is passed to a command by mistake must not be printed, because output ends up in logs.

/** Matches the beginnings of keys and webhook secrets, even if only a part was copied. */
const secret = /(?:pak_(?:live|test)_|whsec_)[0-9A-Za-z+/]{4}/i;

export const holdsSecret = (argument: string): boolean => secret.test(argument);

export const secretRefused =
  'error: an argument holds an API key or the secret of a webhook, where only ids are allowed (that of a key begins with key_); ' +
  'it is in the history of the shell and in the logs of npm now, so rotate it if others can read them; ' +
  'a command that needs one reads it from the environment, as its --help says';

/** Keys of an older format are recognised only by their length. Names of options are in lower case and contain hyphens. */
const isHarmless = (argument: string): boolean =>
  argument.length < olderLength.min || /^--[a-z]+(-[a-z]+)*$/.test(argument);

/** Returns an argument in a form that a message may show. */
export const shownArgument = (argument: string): string => (isHarmless(argument) ? escaped(argument) : '…');

/** Removes arguments that may be secrets from a message. The name of an option with such a value stays. */
export function withoutArguments(message: string, given: readonly string[]): string {
  const values = given.map((argument) => /^--[a-z-]+=(.*)$/s.exec(argument)?.[1] ?? argument);
  return values.reduce((text, value) => text.replaceAll(value, () => shownArgument(value)), message);
}
