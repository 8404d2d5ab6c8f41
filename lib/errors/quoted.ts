// How messages show what a client has sent.

const shownMax = 64;

export const cut = (text: string): string =>
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
