import type { Context } from 'aws-lambda';
import { asInvocation } from '../lib/aws/invocation.ts';
import { deleteRequested } from '../lib/inbox/deleteRequested.ts';

/** Called by the product's backend with a deletion as the inbox takes it: `{account, resource, deleted}` → what became of it. */
export const handler = (input: unknown, context: Context) =>
  asInvocation('deleteRecord', context, (deadline) => deleteRequested(input, deadline));
