import { fewAtOnce } from '../../concurrency.ts';
import { usage } from '../../dynamodb/tables.ts';
import { writeUpdate } from '../../dynamodb/transact.ts';
import { expiryOf, failPartition } from '../keys.ts';
import { listedOf, reasonsOf } from './fewOfEachKey.ts';
import type { AccessLine, FailureLine, RequestLine } from './lines.ts';

/** Keeps failed requests. The lines of the access log and of the functions add to the same items, in any order and any number of times. */
export async function keepFailures(
  access: readonly AccessLine[],
  failures: readonly FailureLine[],
): Promise<void> {
  await fewAtOnce(
    [
      ...listedOf(access).map((line) => [line, { gateway_ms: line.ms }] as const),
      ...reasonsOf(failures).map((line) => [line, reasonOf(line)] as const),
    ],
    ([line, more]) => keep(line, more),
  );
}

const reasonOf = ({ message, problems }: FailureLine) => ({
  ...(message === undefined ? {} : { message }),
  ...(problems.length === 0 ? {} : { problems }),
});

const keep = (
  { account, key, at, requestId, operation, method, path, status }: RequestLine,
  more: Record<string, unknown>,
) =>
  writeUpdate(
    usage.update(
      { pk: failPartition(account), sk: `${new Date(at).toISOString()}#${requestId}` },
      {
        request_id: requestId,
        key_id: key,
        operation,
        method,
        path,
        status,
        ttl: expiryOf(at, 'failure'),
        ...more,
      },
    ),
  );
