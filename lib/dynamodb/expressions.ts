type Text = (name: string, value: string) => string;

/** What an expression says about one attribute, with the clause of an update. */
class Term {
  readonly text: Text;
  readonly value: unknown;
  readonly clause: 'SET' | 'REMOVE' | 'ADD';

  constructor(text: Text, value?: unknown, clause: Term['clause'] = 'SET') {
    this.text = text;
    this.value = value;
    this.clause = clause;
  }
}

const equals = (value: unknown): Term => new Term((name, given) => `${name} = ${given}`, value);
const removed = new Term((name) => name, undefined, 'REMOVE');

/** Attributes, each with its new value: undefined when it is to go, or one of the next three. */
export type Changes = Readonly<Record<string, unknown>>;

/** This value, if it has none. */
export const unlessThere = (value: unknown): Term =>
  new Term((name, given) => `${name} = if_not_exists(${name}, ${given})`, value);

/** The value that another attribute had before. */
export const sameAs = (other: string): Term => new Term((name) => `${name} = ${other}`);

/** The value plus this number. One that is not there counts as 0. */
export const plus = (value: number): Term => new Term((name, given) => `${name} ${given}`, value, 'ADD');

/** Attributes, each with the value that it must have: undefined when it must not be there, or one of the next four. */
export type Conditions = Readonly<Record<string, unknown>>;

/** @param text of the condition, with the placeholders of the attribute and of the value */
export const fulfils = (text: Text, value?: unknown): Term => new Term(text, value);

export const absent = fulfils((name) => `attribute_not_exists(${name})`);

export const present = fulfils((name) => `attribute_exists(${name})`);

export const absentOrBelow = (value: string | number): Term =>
  fulfils((name, given) => `(attribute_not_exists(${name}) OR ${name} < ${given})`, value);

/** @param start of the placeholders of values: an update and its condition have different values of an attribute */
function expressionsOf(attributes: Changes, ofUndefined: Term, start: ':' | ':if_') {
  const terms = Object.entries(attributes).map(([name, value]) => {
    const term = value instanceof Term ? value : value === undefined ? ofUndefined : equals(value);
    return { ...term, name, text: term.text(`#${name}`, `${start}${name}`) };
  });
  const withValue = terms.filter(({ value }) => value !== undefined);
  return {
    terms,
    named: {
      ExpressionAttributeNames: Object.fromEntries(terms.map(({ name }) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        withValue.map(({ name, value }) => [`${start}${name}`, value]),
      ),
    },
  };
}

/** The part of an update that changes attributes. */
export function updateOf(changes: Changes) {
  const { terms, named } = expressionsOf(changes, removed, ':');
  const clauses = [...Map.groupBy(terms, ({ clause }) => clause)];
  const UpdateExpression = clauses
    .map(([clause, own]) => `${clause} ${own.map(({ text }) => text).join(', ')}`)
    .join(' ');
  return { UpdateExpression, ...named };
}

/** The part of a write that says what attributes must be. */
export function conditionOf(conditions: Conditions) {
  const { terms, named } = expressionsOf(conditions, absent, ':if_');
  return { ConditionExpression: terms.map(({ text }) => text).join(' AND '), ...named };
}
