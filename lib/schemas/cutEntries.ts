import { plainName, token } from './json.ts';

/** A JSON text without the entries of one of its lists, and these entries. */
export interface CutText {
  rest: string;
  entries: string[];
}

/**
 * Cuts the entries of a list out of the text of an object, so that each can be parsed separately.
 * @param text JSON
 * @param list the name of the list
 * @returns undefined if there is no such list, or if it has more than `max` entries
 */
export function cutEntries(text: string, list: string, max: number): CutText | undefined {
  let [depth, name, isInside, start, copied] = [0, '', false, 0, 0];
  const entries: string[] = [];
  let rest = '';
  for (const { 0: here, 1: string, 2: colon, index } of text.matchAll(token)) {
    if (here === '{' || here === '[') {
      depth += 1;
      if (depth === 2 && here === '[' && name === list) [isInside, start] = [true, index + 1];
    } else if (here === '}' || here === ']' || here === ',') {
      if (isInside && depth === 2) {
        entries.push(text.slice(start, index));
        if (entries.length > max) return undefined;
        rest += `${text.slice(copied, start)}null`;
        [start, copied] = [index + 1, index];
        isInside = here === ',';
      }
      if (here !== ',') depth -= 1;
    } else if (string !== undefined && colon !== undefined && depth === 1) name = plainName(string);
  }
  return entries.length === 0 ? undefined : { rest: rest + text.slice(copied), entries };
}
