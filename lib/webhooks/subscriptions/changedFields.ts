import { badRequest } from '../../errors/apiError.ts';
import { constant, ours } from '../../errors/constant.ts';
import { problemOf } from '../../errors/problem.ts';
import { typesWith } from '../../resources/collections.ts';
import type { Subscription } from '../model/subscription.ts';

/**
 * A field that no resource of the subscribed types has never changes: the client would get no update, and not know why.
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
