import { badRequest } from '../../errors/apiError.ts';
import { constant } from '../../errors/constant.ts';
import { problemOf } from '../../errors/problem.ts';
import { isStoppedFor } from '../model/stoppedHosts.ts';
import { receiverHost } from '../model/urls.ts';
import { addressProblem } from '../sending/address.ts';

/**
 * @throws ApiError 400 when the operator of the API has stopped webhooks to the host of a URL, or when it has no address, or one
 *   that webhooks may not connect to
 */
export async function assertReachable(account: string, url: string): Promise<void> {
  const isStoppedHost = await isStoppedFor(account, receiverHost(url));
  if (isStoppedHost) throw stoppedHost();
  const problem = await addressProblem(url);
  if (problem !== undefined) throw badRequest([problemOf(constant`url`, problem)]);
}

/** The error for a URL whose host the operator of the API has stopped. */
export const stoppedHost = () =>
  badRequest([
    problemOf(
      constant`url`,
      constant`must have another host: the operator of this API has stopped webhooks to this one`,
    ),
  ]);
