import type { Context } from 'aws-lambda';
import { asInvocation } from '../lib/aws/invocation.ts';
import { deleteRequested } from '../lib/inbox/deleteRequested.ts';

/** The product's backend invokes this function with a deletion as in the inbox: `{account, resource, deleted}` → the result. */
export const handler = (input: unknown, context: Context) =>
  asInvocation('deleteRecord', context, (deadline) => deleteRequested(input, deadline));
