// The expressions of DynamoDB that lib uses. Any other is an error, so that a simulation never guesses.

import { isDeepStrictEqual } from 'node:util';

export type Item = Record<string, unknown>;

interface Expressions {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Item | undefined;
  /** Every comparison of these attributes holds. */
  ignored?: ReadonlySet<string> | undefined;
}

/** What a part of an expression is for an item. */
type Of<T> = (item: Item | undefined, expressions: Expressions) => T;

type Comparable = string | number;

const comparisons: Record<string, (a: Comparable, b: Comparable) => boolean> = {
  '=': isDeepStrictEqual,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};

/** The words of an expression, read from the first to the last. */
class Words {
  private readonly text: string;
  private readonly words: string[];

  constructor(text: string) {
    this.text = text;
    this.words = text.match(/<>|<=|>=|[=<>(),+]|[#:.\w]+|\S/g) ?? [];
  }

  get isOver(): boolean {
    return this.words.length === 0;
  }

  next(): string {
    return this.words.shift() ?? this.fail();
  }

  /** Takes the next word if it is this one. */
  takes(word: string): boolean {
    if (this.words[0] !== word) return false;
    this.words.shift();
    return true;
  }

  expect(word: string): void {
    if (!this.takes(word)) this.fail();
  }

  fail(): never {
    throw new Error(`The simulation does not know the expression ${this.text}`);
  }
}

const once = <T>(parse: (words: Words) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text) ?? parse(new Words(text));
    known.set(text, found);
    return found;
  };
};

const pathOf = (word: string, names: Record<string, string> = {}): string[] =>
  word.split('.').map((part) => names[part] ?? part);

const operand =
  (word: string): Of<unknown> =>
  (item, { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} }) => {
    if (!word.startsWith(':'))
      return pathOf(word, names).reduce<unknown>((at, part) => (at as Item | undefined)?.[part], item);
    if (!(word in values)) throw new Error(`An expression has no value for ${word}`);
    return values[word];
  };

const isIgnored = (word: string, { ExpressionAttributeNames: names, ignored }: Expressions): boolean =>
  ignored?.has(pathOf(word, names).join('.')) === true;

const functions: Record<string, (args: Of<unknown>[]) => Of<boolean>> = {
  attribute_exists:
    ([of]) =>
    (...input) =>
      of?.(...input) !== undefined,
  attribute_not_exists:
    ([of]) =>
    (...input) =>
      of?.(...input) === undefined,
  begins_with:
    ([of, start]) =>
    (...input) =>
      String(of?.(...input) ?? '').startsWith(String(start?.(...input))),
};

const parseCondition = once((words): Of<boolean> => {
  const condition = either(words);
  return words.isOver ? condition : words.fail();
});

function either(words: Words): Of<boolean> {
  const parts = [both(words)];
  while (words.takes('OR')) parts.push(both(words));
  return (...input) => parts.some((part) => part(...input));
}

function both(words: Words): Of<boolean> {
  const parts = [term(words)];
  while (words.takes('AND')) parts.push(term(words));
  return (...input) => parts.every((part) => part(...input));
}

function term(words: Words): Of<boolean> {
  if (words.takes('(')) {
    const inner = either(words);
    words.expect(')');
    return inner;
  }
  const first = words.next();
  if (words.takes('(')) return call(first, words);
  const left = operand(first);
  if (words.takes('BETWEEN')) {
    const low = operand(words.next());
    words.expect('AND');
    const high = operand(words.next());
    return (...input) =>
      compare('>=', left(...input), low(...input)) && compare('<=', left(...input), high(...input));
  }
  const operator = words.next();
  if (!(operator in comparisons)) words.fail();
  const right = operand(words.next());
  return (...input) => isIgnored(first, input[1]) || compare(operator, left(...input), right(...input));
}

function call(name: string, words: Words): Of<boolean> {
  const first = words.next();
  const args = [operand(first)];
  while (words.takes(',')) args.push(operand(words.next()));
  words.expect(')');
  const called = functions[name]?.(args) ?? words.fail();
  return (...input) => isIgnored(first, input[1]) || called(...input);
}

/** Values of two types are never equal, and neither is less. */
const compare = (operator: string, a: unknown, b: unknown): boolean =>
  a !== undefined &&
  typeof a === typeof b &&
  (comparisons[operator] as (typeof comparisons)[string])(a as Comparable, b as Comparable);

/** Whether an item fulfils a condition. */
export const holds = (
  condition: string | undefined,
  item: Item | undefined,
  expressions: Expressions,
): boolean => condition === undefined || parseCondition(condition)(item, expressions);

/** A change of one attribute. */
interface Assignment {
  name: string;
  value: Of<unknown>;
}

const nothing: Of<undefined> = () => undefined;

const clauses: Record<string, (name: string, words: Words) => Of<unknown>> = {
  SET: (_, words) => {
    words.expect('=');
    const first = words.next();
    if (first !== 'if_not_exists') return operand(first);
    words.expect('(');
    const present = operand(words.next());
    words.expect(',');
    const otherwise = operand(words.next());
    words.expect(')');
    const before: Of<unknown> = (...input) => present(...input) ?? otherwise(...input);
    if (!words.takes('+')) return before;
    const added = operand(words.next());
    return (...input) => (before(...input) as number) + (added(...input) as number);
  },
  REMOVE: () => nothing,
};

const parseUpdate = once((words): Assignment[] => {
  const assignments: Assignment[] = [];
  while (!words.isOver) {
    const clause = clauses[words.next()] ?? words.fail();
    do {
      const name = words.next();
      assignments.push({ name, value: clause(name, words) });
    } while (words.takes(','));
  }
  return assignments;
});

/** An item after an update. All values are those before it. */
export function updated(item: Item, expression: string, expressions: Expressions): Item {
  return parseUpdate(expression).reduce(
    (next, { name, value }) =>
      withPart(next, pathOf(name, expressions.ExpressionAttributeNames), value(item, expressions)),
    item,
  );
}

/** @throws Error when a part of a map is to change that is not there, as DynamoDB does */
function withPart(item: Item | undefined, [name = '', ...rest]: string[], value: unknown): Item {
  if (item === undefined) throw new Error('An update has a document path that is invalid for its item');
  const { [name]: before, ...others } = item;
  const after = rest.length > 0 ? withPart(before as Item | undefined, rest, value) : value;
  return after === undefined ? others : { ...item, [name]: after };
}
