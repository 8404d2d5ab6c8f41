// Builds the query of a list of records. It supports only the kinds with filters.
import type * as z from 'zod';
import { id } from '../schemas/fields.ts';
import { anyOf, recordQuery, tag } from '../schemas/filters.ts';
import { lazy } from '../schemas/lazy.ts';
import { email, externalId, line, text } from '../schemas/texts.ts';
import { moment } from '../schemas/times.ts';
import type { Field, Fields, FilterValues } from './field.ts';
import { filtered, type Shaped } from './resource.ts';

function parameterOf(field: Field): z.ZodType {
  switch (field.is) {
    case 'enum':
      return anyOf(...field.of);
    case 'tags':
      return tag();
    case 'ref':
      return id(field.to).optional();
    case 'email':
      return email().optional();
    case 'phone':
      return text(50).optional();
    case 'id':
      return externalId().optional();
    case 'line':
      return line().optional();
    default:
      throw new Error(`There is no filter of the kind ${field.is}`);
  }
}

type Shape<F extends Fields> = {
  [Name in keyof FilterValues<F>]: z.ZodOptional<z.ZodType<FilterValues<F>[Name]>>;
};

export const queryOf = <F extends Fields>({ prefix, fields }: Shaped<F>) =>
  lazy(() => {
    const own: Record<string, z.ZodType> = { external_id: externalId().optional() };
    for (const { name, field } of filtered(fields))
      if (field.is === 'time')
        Object.assign(own, { [`${name}_since`]: moment(), [`${name}_before`]: moment() });
      else own[name] = parameterOf(field);
    return recordQuery(prefix, own as unknown as Shape<F>);
  });
