import type { Context } from 'aws-lambda';
import { asInvocation } from '../../lib/aws/invocation.ts';
import { endSessions } from '../../lib/console/sessions.ts';

/** The product's backend invokes this function: `{account, actor_id?}` → `{ended}`. */
export const handler = (input: unknown, context: Context): Promise<{ ended: number }> =>
  asInvocation('endConsoleSessions', context, (deadline) =>
    endSessions(input, { requestId: context.awsRequestId }, deadline),
  );
