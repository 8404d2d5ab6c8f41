import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { CloudWatchLogsEvent } from 'aws-lambda';
import { handler as countRequestsHandler } from '../../../functions/pipeline/countRequests.ts';
import { secretName } from '../../../lib/keys/access.ts';
import type { ApiKey } from '../../../lib/keys/key.ts';
import { lambdaContext } from '../http/events.ts';
import { asFunction } from '../permissions/asFunction.ts';

export const countRequests = asFunction('countRequests', countRequestsHandler);

/** A request as the access log has it. */
export interface LoggedRequest {
  account: string;
  key: string;
  at: Date;
  method?: string;
  resource?: string;
  status?: number;
  ms?: number;
  secret?: string;
  id?: string;
}

/** A line of the access log, in which all values are texts. */
export const accessLine = ({
  account,
  key,
  at,
  method = 'GET',
  resource = '/contacts',
  status = 200,
  ms = 10,
  secret = '0123abcd',
  id = randomUUID(),
}: LoggedRequest): string =>
  JSON.stringify({
    request_id: id,
    extended_request_id: 'Zm9vYmFy=',
    time_ms: String(at.getTime()),
    method,
    resource,
    status: String(status),
    duration_ms: String(ms),
    key_id: key,
    account,
    secret,
  });

let written = 0;

/** What CloudWatch Logs hands to a function for these lines. */
export function logsEvent(messages: readonly string[], logStream = 'stream'): CloudWatchLogsEvent {
  const logEvents = messages.map((message) => {
    written += 1;
    return { id: `${randomBytes(8).toString('hex')}${written}`, timestamp: Date.now(), message };
  });
  const content = {
    messageType: 'DATA_MESSAGE',
    owner: '000000000000',
    logGroup: 'group',
    logStream,
    subscriptionFilters: ['filter'],
    logEvents,
  };
  return { awslogs: { data: gzipSync(JSON.stringify(content)).toString('base64') } };
}

/** A key was used at a time, as the access log tells it. @param nth of its secrets, the newest is 0 */
export async function givenUse({ id, accountId, secrets }: ApiKey, at: Date, nth = 0): Promise<void> {
  const secret = secretName(secrets[nth]?.hash ?? '');
  await countRequests(
    logsEvent([accessLine({ account: accountId, key: id, at, secret })]),
    lambdaContext(60_000),
  );
}
