import type * as z from 'zod';
// By name: through `z.core` a bundle would hold all of zod, which is twice its size.
import { $constructor } from 'zod/v4/core';

/**
 * A type of zod that reads what was sent in another form before it checks it. It stays an instance of the type, so documents and
 * messages know it as that.
 * @param read must not change what it gets
 */
export const reading = <Type extends z.ZodType>(
  base: z.core.$constructor<Type>,
  read: (sent: unknown, def: Type['_zod']['def']) => unknown,
): z.core.$constructor<Type> =>
  $constructor<Type>('Reading', (schema, def) => {
    base.init(schema, def);
    const { parse } = schema._zod;
    schema._zod.parse = (payload, context) => {
      payload.value = read(payload.value, def) as typeof payload.value;
      return parse(payload, context);
    };
  });
