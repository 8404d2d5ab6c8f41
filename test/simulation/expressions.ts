// The expressions of DynamoDB that lib/records uses. Any other is an error, so that the simulation never guesses.

export type Item = Record<string, unknown>;

interface Expressions {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Item | undefined;
}

const comparisons: Record<string, (a: never, b: never) => boolean> = {
  '=': (a, b) => a === b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};

/** Whether an item fulfils a condition. */
export function holds(
  condition: string | undefined,
  item: Item | undefined,
  { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} }: Expressions,
): boolean {
  if (condition === undefined) return true;
  const operandOf = (operand: string) =>
    operand.startsWith(':') ? values[operand] : item?.[names[operand] ?? operand];
  const isTrue = (term: string): boolean => {
    const [, negated, attribute = ''] = /^attribute_(not_)?exists\((.+)\)$/.exec(term) ?? [];
    if (attribute !== '') return (operandOf(attribute) === undefined) === (negated !== undefined);
    const [, left = '', operator = '', right = ''] = /^(\S+) (=|<|>|<=|>=) (\S+)$/.exec(term) ?? [];
    const compare = comparisons[operator];
    if (!compare) throw new Error(`The simulation does not know the condition ${term}`);
    const [a, b] = [operandOf(left), operandOf(right)];
    return a !== undefined && b !== undefined && compare(a as never, b as never);
  };
  return condition.split(' OR ').some((part) => part.split(' AND ').every((term) => isTrue(term.trim())));
}

/** An item after an update of the form `SET … REMOVE …`. */
export function updated(
  item: Item,
  expression: string,
  { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} }: Expressions,
): Item {
  const [, set = '', removed = ''] = /^(?:SET (.*?))?(?: ?REMOVE (.*))?$/.exec(expression) ?? [];
  if (set === '' && removed === '') throw new Error(`The simulation does not know the update ${expression}`);
  const next = { ...item };
  for (const assignment of set.split(', ').filter(Boolean)) {
    const [name = '', value = ''] = assignment.split(' = ');
    if (!(value in values)) throw new Error(`The simulation does not know the assignment ${assignment}`);
    next[names[name] ?? name] = values[value];
  }
  for (const name of removed.split(', ').filter(Boolean)) delete next[names[name] ?? name];
  return next;
}
