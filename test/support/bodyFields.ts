import * as z from 'zod';
import type { Operation } from '../../lib/contract/operation.ts';

/** The names of the fields that an operation's body can have, from the contract. */
export const bodyFieldsOf = ({ body }: Operation): string[] => (body ? fieldsOf(body()) : []);

function fieldsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in as z.ZodType);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
