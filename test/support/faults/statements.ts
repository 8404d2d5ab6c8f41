/** A statement of a batch, as `writeVersions` sends it. Values are as the layer of the caller has them. */
export interface Statement<Value = unknown> {
  Statement: string;
  Parameters: Value[];
}

/** What a statement says. */
export interface ReadStatement<Value> {
  kind: 'Insert' | 'Update';
  table: string;
  /** What is written, by attribute. Of an insert with its key. */
  values: Record<string, Value>;
  /** What an update requires, by attribute, with its key. */
  where: Record<string, Value>;
}

/** Reads the text of a statement, as far as we use PartiQL. @throws Error for any other text */
export function readStatement<Value>({
  Statement: text,
  Parameters,
}: Statement<Value>): ReadStatement<Value> {
  const parameters = Parameters.values();
  const valuesIn = (part: string): Record<string, Value> =>
    Object.fromEntries(
      [...part.matchAll(/['"](\w+)['"](?:: | = )\?/g)].map(([, name]) => [name, parameters.next().value]),
    );
  const [, inserted, item] = /^INSERT INTO "([^"]+)" VALUE \{(.+)\}$/.exec(text) ?? [];
  if (inserted && item) return { kind: 'Insert', table: inserted, values: valuesIn(item), where: {} };
  const [, updated, set, where] = /^UPDATE "([^"]+)" SET (.+) WHERE (.+)$/.exec(text) ?? [];
  if (updated && set && where)
    return { kind: 'Update', table: updated, values: valuesIn(set), where: valuesIn(where) };
  throw new Error(`The tests do not know the statement ${text}`);
}

/** The statements of a call; none of any other operation. */
export const statementsOf = <Value>(input: Record<string, unknown>): ReadStatement<Value>[] =>
  ((input.Statements ?? []) as Statement<Value>[]).map(readStatement);

/** The key of the item that a statement writes. */
export const keyOfStatement = <Value>({ values, where }: ReadStatement<Value>) => ({
  pk: (where.pk ?? values.pk) as Value,
  sk: (where.sk ?? values.sk) as Value,
});
