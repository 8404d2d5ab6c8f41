import * as z from 'zod';
import type { BaseOperation } from '../../../lib/resources/operation.ts';

/** The names of the fields that an operation's body can have, from the contract. */
export const bodyFieldsOf = ({ body }: BaseOperation): string[] => (body ? Object.keys(shapeOf(body())) : []);

/** Whether a field may be empty: then text without anything to see is `null`. */
export function mayBeEmpty({ body }: BaseOperation, name: string): boolean {
  const field = body && shapeOf(body())[name];
  return (field instanceof z.ZodOptional ? field.unwrap() : field) instanceof z.ZodNullable;
}

/** The path of a value in a schema: the names that lead to it. An item of a list is its first entry, 0. */
export type FieldPath = readonly (string | 0)[];

/** The paths of all values in a schema, objects and lists included. */
export function fieldPathsOf(schema: z.ZodType): FieldPath[] {
  const inner = withoutWrappers(schema);
  const within = (name: string | 0, type: z.ZodType) =>
    [[name], ...fieldPathsOf(type).map((path) => [name, ...path])] as FieldPath[];
  if (inner instanceof z.ZodArray) return within(0, inner.element as z.ZodType);
  if (inner instanceof z.ZodUnion)
    return (inner.options as z.ZodType[]).flatMap((option) => fieldPathsOf(option));
  return Object.entries(shapeOf(inner)).flatMap(([name, type]) => within(name, type));
}

/** The JSON of a value, with another JSON text at a path. Missing lists and objects on the path are created. */
export function jsonWith(value: unknown, [name, ...rest]: FieldPath, json: string): string {
  if (name === undefined) return json;
  if (name === 0) return `[${jsonWith((value as unknown[] | undefined)?.[0], rest, json)}]`;
  const { [name]: inner, ...others } = (value ?? {}) as Record<string, unknown>;
  const fields = Object.entries(others).map(
    ([other, kept]) => `${JSON.stringify(other)}:${JSON.stringify(kept)}`,
  );
  return `{${[...fields, `${JSON.stringify(name)}:${jsonWith(inner, rest, json)}`].join()}}`;
}

/** The schema of a field of an object; of a union, in the first of its options that has the field. */
export function fieldOf(schema: z.ZodType, name: string): z.ZodType {
  const inner = withoutWrappers(schema);
  const options = inner instanceof z.ZodUnion ? (inner.options as z.ZodType[]) : [inner];
  const [field] = options.flatMap((option) => shapeOf(option)[name] ?? []);
  if (!field) throw new Error(`There is no field ${name}`);
  return field;
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  const inner = withoutWrappers(schema);
  return inner instanceof z.ZodObject ? (inner.shape as Record<string, z.ZodType>) : {};
}

/** The input schema, without transforms and defaults around it. */
export function withoutWrappers(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe)
    return withoutWrappers((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return withoutWrappers(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodCatch) return withoutWrappers(schema.unwrap() as z.ZodType);
  return schema;
}
