import type * as z from 'zod';
// Imported by name, because through `z.core` a bundle would contain all of zod, which is twice its size.
import { $constructor } from 'zod/v4/core';

/** A sentence that says what is allowed. It follows the name of the field, so it starts with "must be". */
export type Rule = string;

/** Returns the rule as a zod error. The message for a missing value differs from that for a wrong one. */
export const ruleError = (rule: Rule) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? `is required and ${rule}` : rule),
});

/**
 * Returns a zod type that converts other forms of a value before it checks them. It stays an instance of the type, so documents and messages
 * treat it as that type.
 * @param read must not change its argument
 * @param more additional properties of its definition, for readers of the schema
 */
export function readAs<Type extends z.ZodType>(
  type: Type,
  read: (sent: unknown) => unknown,
  more?: object,
): Type {
  const base = type._zod.constr as unknown as z.core.$constructor<Type>;
  const init: (schema: Type, def: Type['_zod']['def']) => void = base.init;
  const Reading = $constructor<Type>('Reading', (schema, def) => {
    init(schema, def);
    const { parse } = schema._zod;
    schema._zod.parse = (payload, context) => {
      payload.value = read(payload.value) as typeof payload.value;
      return parse(payload, context);
    };
  });
  return new Reading({ ...type._zod.def, ...more } as never) as Type;
}

/** The parts of zod's definitions that matter to readers of a schema. They work without zod itself, which many Lambdas do not contain. */
export interface Definition {
  type: string;
  isList?: true;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  options?: readonly z.ZodType[];
  innerType?: z.ZodType;
  in?: z.ZodType;
}

/** Returns the definition inside wrappers that make a value optional, nullable or transformed. */
export function unwrapped(schema: z.ZodType): Definition {
  const def: Definition = schema.def;
  const inner = def.innerType ?? def.in;
  return inner ? unwrapped(inner) : def;
}

/** Yields all field names in a schema, at any depth. */
export function* fieldNames(schema: z.ZodType): Generator<string> {
  const { shape = {}, element, options = [] } = unwrapped(schema);
  yield* Object.keys(shape);
  for (const inner of [...Object.values(shape), ...options, ...(element ? [element] : [])])
    yield* fieldNames(inner);
}
