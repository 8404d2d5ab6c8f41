import { handler as countRequestsHandler } from '../../functions/pipeline/countRequests.ts';
import { dayMs } from '../../lib/usage/keys.ts';
import { summarize } from '../../lib/usage/summary/summarize.ts';
import { lambdaContext } from '../support/http/events.ts';
import { asFunction } from '../support/permissions/asFunction.ts';
import { accessLine, logsEvent } from '../support/usage/logs.ts';
import { account } from './content.ts';
import type { AuthorizerContext } from './invoke.ts';

const countRequests = asFunction('countRequests', countRequestsHandler);

/** The requests of a key are counted, some of those that failed are kept, and their day is summed up. */
export async function countUsage({ key_id, secret }: AuthorizerContext): Promise<void> {
  const at = new Date();
  const request = { account, key: String(key_id), secret: String(secret), at };
  const id = '00000000-0000-4000-8000-000000000000';
  const idOf = (n: number) => `${id.slice(0, -2)}${n}`;
  const lines = Array.from({ length: 26 }, (_, i) =>
    accessLine({
      ...request,
      at: new Date(at.getTime() - i),
      status: 404,
      id: idOf(10 + i),
    }),
  );
  const ofFunction = {
    message: 'request',
    operation: 'listContacts',
    request_id: id,
    key_id,
    account,
    status: 400,
    duration_ms: 5,
    time_ms: at.getTime(),
  };
  const problems = [
    { field: 'limit', message: 'must be an integer from 1 to 100' },
    { field: null, message: 'The body must be a JSON object' },
  ];
  const batches = [
    // The requests with the highest ids are only counted: one of each class.
    [accessLine({ ...request, id }), ...lines, accessLine({ ...request, status: 500, id: idOf(99) })],
    [JSON.stringify({ ...ofFunction, error_message: 'A message', problems })],
  ];
  for (const batch of batches) await countRequests(logsEvent(batch), lambdaContext(60_000));
  await summarize(Date.now() + 60_000, Date.now() + 3 * dayMs);
}
