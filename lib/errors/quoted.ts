// Formats what clients sent for messages.

const shownMax = 64;

export const cut = (text: string): string =>
  text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}…` : text;

/** Escapes characters that move the cursor of a terminal, change the text direction or are invisible. */
export const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** Formats a text from a client for a message: cut to 64 characters, quoted and escaped. */
export const quoted = (text: string): string => escaped(JSON.stringify(cut(text)));
