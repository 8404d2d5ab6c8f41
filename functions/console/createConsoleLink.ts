import type { Context } from 'aws-lambda';
import { asInvocation } from '../../lib/aws/invocation.ts';
import { type CreatedLink, createLink } from '../../lib/console/consoleLinks.ts';

/** The product's backend invokes this function: `{account, account_name?, actor: {id, name}, role, return_url?}` → `{url, expires_at}`. */
export const handler = (input: unknown, context: Context): Promise<CreatedLink> =>
  asInvocation('createConsoleLink', context, () => createLink(input, { requestId: context.awsRequestId }));
