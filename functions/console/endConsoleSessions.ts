import type { Context } from 'aws-lambda';
import { endSessions } from '../../lib/console/sessions/end.ts';
import { asInvocation } from '../../lib/invocation/invocation.ts';

/** Called by the product's backend: `{account, actor_id?}` → `{ended}`. */
export const handler = (input: unknown, context: Context): Promise<{ ended: number }> =>
  asInvocation('endConsoleSessions', context, (deadline) =>
    endSessions(input, { requestId: context.awsRequestId }, deadline),
  );
