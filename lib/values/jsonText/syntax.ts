// JSON.parse says where a text is not JSON in some cases only, and quotes what was sent.

/** Where a text stops being JSON (RFC 8259), and what may stand there. */
interface Mistake {
  at: number;
  expected: string;
}

type State = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'more' | 'end';

const names = 'a name in double quotes';

const expectedIn: Record<State, string> = {
  value: 'a value',
  'value or ]': 'a value or ]',
  name: `${names}, as a comma is before it,`,
  'name or }': `${names} or }`,
  colon: 'a colon',
  more: 'a comma',
  end: 'nothing more',
};

const whiteSpace = /[ \t\r\n]*/y;
const plain = /[ !#-[\]-\uffff]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-f]{4})/iy;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/iy;
const word = /(?:true|false|null)(?!\w)/y;

/** The end of what an expression matches at a place, which may be empty; undefined when it does not match. */
function endOf(expression: RegExp, text: string, at: number): number | undefined {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : undefined;
}

/** Reads a string from its first quote. @returns its end, or the mistake in it */
function readString(text: string, from: number): number | Mistake {
  for (let at = from + 1; ; ) {
    at = endOf(plain, text, at) as number;
    const next = text[at];
    if (next === '"') return at + 1;
    if (next === undefined) return { at, expected: 'a " that ends the string' };
    if (next !== '\\') return { at, expected: 'an escape such as \\n or \\t instead of a control character' };
    const end = endOf(escaped, text, at);
    if (end === undefined) return { at, expected: 'an escape of JSON, as \\\\ or \\u00e4,' };
    at = end;
  }
}

/** What other languages write, and what JSON has for it. */
const others: readonly [RegExp, string][] = [
  [/[+-]?(?:nan|inf(?:inity)?)(?!\w)/iy, 'null (JSON has no NaN and no Infinity)'],
  [/(?:none|nil|undefined)(?!\w)/iy, 'null'],
  [/(?:true|false|null)(?!\w)/iy, 'true, false or null in lower case'],
];

/** Reads a value that is neither an object nor a list. @returns its end, or the mistake in it */
function readScalar(text: string, at: number, state: State): number | Mistake {
  const next = text[at] ?? '';
  if (next === '"') return readString(text, at);
  if (endOf(word, text, at) === undefined)
    for (const [other, expected] of others) if (endOf(other, text, at) !== undefined) return { at, expected };
  if (/[\d.+-]/.test(next)) {
    const end = endOf(number, text, at);
    return end !== undefined && !/[\w.+-]/.test(text[end] ?? '')
      ? end
      : { at, expected: 'a number as JSON writes it, as 0.5, -1 or 1e3,' };
  }
  if (/\w/.test(next))
    return endOf(word, text, at) ?? { at, expected: 'true, false, null, or a string in double quotes' };
  if (/['`\u2018-\u201f]/.test(next)) return { at, expected: 'double quotes around a string' };
  return { at, expected: expectedIn[state] };
}

/** The first mistake of a text; undefined for JSON. Its time is linear: it passes over the text once. */
function mistakeIn(text: string): Mistake | undefined {
  const open: ('{' | '[')[] = [];
  let state: State = 'value';
  for (let at = 0; ; ) {
    at = endOf(whiteSpace, text, at) as number;
    const next = text[at];
    if (state === 'end') return next === undefined ? undefined : { at, expected: expectedIn.end };
    const inside = open.at(-1);
    if (next !== undefined && isEnd(next, state, inside)) {
      open.pop();
      at += 1;
      state = open.length > 0 ? 'more' : 'end';
    } else if (state === 'colon' || state === 'more') {
      if (next !== (state === 'colon' ? ':' : ',')) {
        const ends = inside === '{' ? ' or }' : ' or ]';
        return { at, expected: `${expectedIn[state]}${state === 'more' ? ends : ''}` };
      }
      at += 1;
      state = state === 'more' && inside === '{' ? 'name' : 'value';
    } else if (state === 'name' || state === 'name or }') {
      const end = next === '"' ? readString(text, at) : { at, expected: expectedIn[state] };
      if (typeof end !== 'number') return end;
      at = end;
      state = 'colon';
    } else if (next === '{' || next === '[') {
      open.push(next);
      at += 1;
      state = next === '{' ? 'name or }' : 'value or ]';
    } else {
      const end = readScalar(text, at, state);
      if (typeof end !== 'number') return end;
      at = end;
      state = open.length > 0 ? 'more' : 'end';
    }
  }
}

const isEnd = (next: string, state: State, inside: '{' | '[' | undefined): boolean =>
  (next === '}' && inside === '{' && (state === 'more' || state === 'name or }')) ||
  (next === ']' && inside === '[' && (state === 'more' || state === 'value or ]'));

/**
 * Where and why a text is not JSON, with nothing of the text.
 * @param isLine whether the text is a line of a file: then only its column says where
 * @returns what follows "is not valid JSON"; an empty string for JSON
 */
export function syntaxProblem(text: string, isLine = false): string {
  const mistake = mistakeIn(text);
  if (!mistake) return '';
  let [line, start] = [1, 0];
  for (let i = 0; i < mistake.at; i += 1)
    if (text[i] === '\n' || (text[i] === '\r' && text[i + 1] !== '\n')) [line, start] = [line + 1, i + 1];
  const column = `column ${mistake.at - start + 1}`;
  const place = isLine ? column : `line ${line}, ${column}`;
  return mistake.at === text.length
    ? `: it ends at ${place}, where ${mistake.expected} is expected`
    : `: at ${place}, ${mistake.expected} is expected`;
}
