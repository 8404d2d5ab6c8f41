import type { Component, Components } from '../../../../lib/resources/component.ts';

export { type Component, type Components, input, output } from '../../../../lib/resources/component.ts';

import type { Json } from './jsonSchema.ts';
import { jsonSchemaOf, knownWords } from './jsonSchema.ts';

export const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Returns the name of a referenced component. The schema itself, its list items, or the first of several forms may contain the reference. */
function nameIn({ $ref, items, anyOf }: Json): string | undefined {
  if (typeof $ref === 'string') return $ref.split('/').at(-1);
  const inner = (items as Json | undefined) ?? (anyOf as Json[] | undefined)?.[0];
  return inner && nameIn(inner);
}

/** Replaces the named parts of a schema by references. */
function referring(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const name = names.get(JSON.stringify(value));
  if (name) return refTo(name);
  if (Array.isArray(value)) return value.map((one) => referring(one, names));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, referring(inner, names)]));
}

/** Returns the schemas of an OpenAPI document, and a complete example of each. */
export function schemasOf(components: Components): {
  schemas: Record<string, Json>;
  exampleOf: (name: string) => unknown;
} {
  const written = Object.entries(components).map(
    ([name, { schema, side }]) => [name, jsonSchemaOf(schema(), side)] as const,
  );
  // If several schemas have the same JSON, all get the name of the first.
  const names = new Map(written.toReversed().map(([name, json]) => [JSON.stringify(json), name]));
  const plain = new Map(
    written.map(([name, json]) => [
      name,
      Object.fromEntries(Object.entries(json).map(([key, inner]) => [key, referring(inner, names)])) as Json,
    ]),
  );

  function exampleOf(name: string): unknown {
    const { notes, example } = components[name] as Component;
    if (example !== undefined) return example;
    const properties = Object.entries((plain.get(name)?.properties ?? {}) as Record<string, Json>);
    return Object.fromEntries(
      properties.map(([field, json]) => {
        const given = notes[field]?.[1];
        const inner = given === undefined ? nameIn(json) : undefined;
        if (given === undefined && inner === undefined)
          throw new Error(
            `${name}.${field} has no example: add one to the notes in lib/resources/ or infra/pages/reference/prose/`,
          );
        if (inner === undefined) return [field, given];
        return [field, json.type === 'array' ? [exampleOf(inner)] : exampleOf(inner)];
      }),
    );
  }

  const schemas = Object.fromEntries(
    [...plain].map(([name, json]) => [
      name,
      described(name, json, components[name] as Component, exampleOf(name)),
    ]),
  );
  return { schemas, exampleOf };
}

function described(
  name: string,
  { type, properties, additionalProperties, ...rest }: Json,
  { description, notes, demands }: Component,
  example: unknown,
): Json {
  const fields = Object.entries((properties ?? {}) as Record<string, Json>).map(([field, json]) => {
    const [description, given] = notes[field] ?? [];
    if (description === undefined)
      throw new Error(
        `${name}.${field} has no description: add it to the notes in lib/resources/ or infra/pages/reference/prose/`,
      );
    return [
      field,
      {
        description: [description, ...knownIn(json)].join(' '),
        ...typeFirst(json),
        ...(given === undefined ? {} : { examples: [given] }),
      },
    ];
  });
  return {
    description,
    type,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) }),
    ...rest,
    // openapi-generator reads `additionalProperties: false` as true. Its TypeScript clients would then send each field under two names.
    ...(additionalProperties === false ? { unevaluatedProperties: false } : { additionalProperties }),
    ...demands,
    examples: [example],
  };
}

/** Returns the known words as a sentence, because no renderer shows the keyword. */
export function knownIn({ [knownWords]: words, items }: Json): string[] {
  if (items) return knownIn(items as Json);
  return words ? [`Known values: ${(words as string[]).map((word) => `\`${word}\``).join(', ')}.`] : [];
}

export const typeFirst = ({ type, ...rest }: Json): Json => (type === undefined ? rest : { type, ...rest });
