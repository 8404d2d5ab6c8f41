import type { Verdict } from '../../dynamodb/transact.ts';
import { badRequest, invalidField } from '../../errors/apiError.ts';
import { constant, ours, said, theirs } from '../../errors/constant.ts';
import { problemOf } from '../../errors/problem.ts';
import { typesWith } from '../../resources/collections.ts';
import type { Subscription } from '../model/subscription.ts';
import { isStoppedFor } from '../receivers/blockedHosts.ts';
import { addressProblem } from '../sending/receiverAddress.ts';
import { receiverHost } from './actions.ts';

/**
 * Checks that a subscribed resource has each of the `changed_fields`. Otherwise the client would get no updates and not know why.
 * @throws ApiError 400
 */
export function assertCanChange({
  event_types,
  changed_fields,
}: Pick<Subscription, 'event_types' | 'changed_fields'>): void {
  const subscribed = [...new Set(event_types.map((one) => one.split('.')[0] as string))];
  if (subscribed.includes('*')) return;
  const problems = (changed_fields ?? []).flatMap((field) => {
    const types = typesWith(field);
    if (types.some((type) => subscribed.includes(type))) return [];
    const of = types.length > 0 ? ` (it is of ${types.join(', ')})` : '';
    const rule = `must be of a resource of event_types: ${field} is no field of ${subscribed.join(', ')}${of}`;
    return [problemOf(constant`changed_fields`, ours(rule))];
  });
  if (problems.length > 0) throw badRequest(problems);
}

/**
 * @throws ApiError 400 if the operator of the API has stopped webhooks to the host of a URL, or if the host has no address, or an address that
 *   webhooks may not connect to
 */
export async function assertReachable(account: string, url: string): Promise<void> {
  if (await isStoppedFor(account, receiverHost(url))) throw stoppedHost();
  const problem = await addressProblem(url);
  if (problem !== undefined) throw invalidField(constant`url`, problem);
}

export const stoppedHost = () =>
  invalidField(
    constant`url`,
    constant`must have another host: the operator of this API has blocked this one`,
  );

export const urlTaken = ({ item }: Verdict & { kind: 'refused' }) =>
  invalidField(
    constant`url`,
    said`is already subscribed, by ${theirs(`${item?.id}`)}: an account can subscribe a URL once, so change that subscription`,
  );
