import type { Context } from 'aws-lambda';
import { asInvocation } from '../../lib/aws/invocation.ts';
import type { ErasedContact } from '../../lib/webhooks/erasure/eraseContact.ts';
import { eraseRequested } from '../../lib/webhooks/erasure/requestedErasure.ts';

/** Called by the product's backend: `{account, source_id}` or `{account, id}` → what was erased. */
export const handler = (input: unknown, context: Context): Promise<ErasedContact> =>
  asInvocation('eraseContact', context, (deadline) => eraseRequested(input, deadline));
