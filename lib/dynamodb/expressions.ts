type Text = (name: string, ...values: string[]) => string;

/** A part of an expression about one attribute, with the clause of the update that contains it. */
class Term {
  readonly text: Text;
  readonly values: readonly unknown[];
  readonly clause: 'SET' | 'REMOVE';

  constructor(text: Text, values: readonly unknown[] = [], clause: Term['clause'] = 'SET') {
    this.text = text;
    this.values = values;
    this.clause = clause;
  }
}

const equals = (value: unknown): Term => new Term((name, given) => `${name} = ${given}`, [value]);
const removed = new Term((name) => name, [], 'REMOVE');

/** Returns the path of an attribute, or of a part of a map, such as `recovery.next`. */
const pathOf = (name: string): string => `#${name.replaceAll('.', '.#')}`;

/**
 * Attributes with their new values: undefined removes an attribute, and `unlessThere`, `sameAs` and `plus` compute a value. To change a part
 * of a map, the map must already exist.
 */
export type Changes = Readonly<Record<string, unknown>>;

export const unlessThere = (value: unknown): Term =>
  new Term((name, given) => `${name} = if_not_exists(${name}, ${given})`, [value]);

/** Copies the previous value of another attribute. */
export const sameAs = (other: string): Term => new Term((name) => `${name} = ${pathOf(other)}`);

/** Adds a number to the value. A missing value counts as 0. There is no ADD, which DynamoDB documents for whole attributes only. */
export const plus = (value: number): Term =>
  new Term((name, given, zero) => `${name} = if_not_exists(${name}, ${zero}) + ${given}`, [value, 0]);

/** Returns the same changes, or conditions, for the parts of an attribute. */
export const within = (name: string, parts: Changes): Changes =>
  Object.fromEntries(Object.entries(parts).map(([part, value]) => [`${name}.${part}`, value]));

/** Attributes with the values that they must have: undefined for an attribute that must not exist, or a term of `fulfils` and the functions below. */
export type Conditions = Readonly<Record<string, unknown>>;

/** Creates a condition. @param text of the condition, with the placeholders of the attribute and of the values */
export const fulfils = (text: Text, ...values: unknown[]): Term => new Term(text, values);

export const absent = fulfils((name) => `attribute_not_exists(${name})`);

export const present = fulfils((name) => `attribute_exists(${name})`);

export const absentOrBelow = (value: string | number): Term =>
  fulfils((name, given) => `(attribute_not_exists(${name}) OR ${name} < ${given})`, value);

export const is = (operator: '<' | '<=' | '>' | '>=', value: string | number): Term =>
  fulfils((name, given) => `${name} ${operator} ${given}`, value);

/** Includes both ends. */
export const between = (first: string, last: string): Term =>
  fulfils((name, low, high) => `${name} BETWEEN ${low} AND ${high}`, first, last);

export const startsWith = (start: string): Term =>
  fulfils((name, given) => `begins_with(${name}, ${given})`, start);

/** @param start of the placeholders of values, because an update and its condition have different values for the same attribute */
function expressionsOf(attributes: Changes, ofUndefined: Term, start: ':' | ':if_') {
  const terms = Object.entries(attributes).map(([name, value]) => {
    const term = value instanceof Term ? value : value === undefined ? ofUndefined : equals(value);
    const placed = `${start}${name.replaceAll('.', '_')}`;
    const given = term.values.map((one, i) => [`${placed}${i || ''}`, one] as const);
    const text = term.text(pathOf(name), ...given.map(([placeholder]) => placeholder));
    return { text, given, clause: term.clause };
  });
  return {
    terms,
    named: {
      ExpressionAttributeNames: Object.fromEntries(
        terms.flatMap(({ text }) => [...text.matchAll(/#(\w+)/g)]),
      ),
      ExpressionAttributeValues: Object.fromEntries(terms.flatMap(({ given }) => given)),
    },
  };
}

export function updateExpressionOf(changes: Changes) {
  const { terms, named } = expressionsOf(changes, removed, ':');
  const clauses = [...Map.groupBy(terms, ({ clause }) => clause)];
  const UpdateExpression = clauses
    .map(([clause, own]) => `${clause} ${own.map(({ text }) => text).join(', ')}`)
    .join(' ');
  return { UpdateExpression, ...named };
}

export function conditionOf(conditions: Conditions) {
  const { terms, named } = expressionsOf(conditions, absent, ':if_');
  return { ConditionExpression: terms.map(({ text }) => text).join(' AND '), ...named };
}
