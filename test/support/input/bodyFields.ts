import * as z from 'zod';
import type { Operation } from '../../../lib/contract/operation.ts';

/** The names of the fields that an operation's body can have, from the contract. */
export const bodyFieldsOf = ({ body }: Operation): string[] => (body ? Object.keys(shapeOf(body())) : []);

/** Where a value can stand in what a schema takes: the names that lead there. What is in a list stands in its first entry. */
export type Place = readonly (string | 0)[];

/** Every place in what a schema takes, those of objects and lists too. */
export function placesOf(schema: z.ZodType): Place[] {
  const inner = withoutCover(schema);
  const within = (name: string | 0, type: z.ZodType) =>
    [[name], ...placesOf(type).map((place) => [name, ...place])] as Place[];
  if (inner instanceof z.ZodArray) return within(0, inner.element as z.ZodType);
  if (inner instanceof z.ZodUnion)
    return (inner.options as z.ZodType[]).flatMap((option) => placesOf(option));
  return Object.entries(shapeOf(inner)).flatMap(([name, type]) => within(name, type));
}

/** A JSON text like that of a value, with another text in a place. Lists and objects on the way there are made. */
export function jsonWith(value: unknown, [name, ...rest]: Place, json: string): string {
  if (name === undefined) return json;
  if (name === 0) return `[${jsonWith((value as unknown[] | undefined)?.[0], rest, json)}]`;
  const { [name]: inner, ...others } = (value ?? {}) as Record<string, unknown>;
  const fields = Object.entries(others).map(
    ([other, kept]) => `${JSON.stringify(other)}:${JSON.stringify(kept)}`,
  );
  return `{${[...fields, `${JSON.stringify(name)}:${jsonWith(inner, rest, json)}`].join()}}`;
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  const inner = withoutCover(schema);
  return inner instanceof z.ZodObject ? (inner.shape as Record<string, z.ZodType>) : {};
}

/** What a schema takes, without what makes something else of it afterwards. */
function withoutCover(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return withoutCover(schema.in as z.ZodType);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return withoutCover(schema.unwrap() as z.ZodType);
  return schema;
}
