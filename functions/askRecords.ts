import type { Context } from 'aws-lambda';
import { asInvocation } from '../lib/aws/invocation.ts';
import { askRecords } from '../lib/inbox/askRecords.ts';

/** The product's backend invokes this function with a question about its rows, which `askRecords` answers. */
export const handler = (input: unknown, context: Context) =>
  asInvocation('askRecords', context, () => askRecords(input));
