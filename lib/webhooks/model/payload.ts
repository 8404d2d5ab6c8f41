import { isSubscribed, scopesToRead } from '../../contract/eventTypes.ts';
import { plainError } from '../../errors/apiError.ts';
import { constant, ours } from '../../errors/constant.ts';
import { type Access, allows } from '../../keys/access.ts';
import type { Subscription } from './subscription.ts';

export type Payload = Subscription['payload'];

const missingScopes = (access: Access, eventTypes: readonly string[]) =>
  scopesToRead(eventTypes).filter((scope) => !allows(access, scope));

export const mayRead = (access: Access, eventTypes: readonly string[]): boolean =>
  missingScopes(access, eventTypes).length === 0;

/**
 * Returns the payload of a new subscription: the requested one, or the fullest that the key may read.
 * @throws ApiError 403 if the key requests the full payload but may not read it
 */
export function payloadFor(
  access: Access,
  requested: Payload | null,
  eventTypes: readonly string[],
): Payload {
  if (requested === 'full') assertMayRead(access, eventTypes);
  return requested ?? (mayRead(access, eventTypes) ? 'full' : 'thin');
}

/**
 * Prevents a key that may only manage webhooks from reading contacts through them.
 * @throws ApiError 403 with the scopes that the key lacks
 */
export function assertMayRead(access: Access, eventTypes: readonly string[]): void {
  const missing = missingScopes(access, eventTypes);
  if (missing.length > 0)
    throw plainError(
      403,
      constant`This API key lacks the ${ours(missing.length > 1 ? 'scopes' : 'scope')} ${ours(new Intl.ListFormat('en-GB').format(missing))}, which a full payload of these event types needs; with payload "thin", events hold ids only`,
    );
}

/**
 * Returns the payload of an event by the current settings of a subscription, which were checked when they were made. A pending or repeated
 * delivery may have an event type that the subscription no longer includes. The settings were not checked for such a type, so it is sent thin.
 */
export const payloadOf = ({ payload, event_types }: Subscription, eventType: string): Payload =>
  payload === 'full' && isSubscribed(event_types, eventType) ? 'full' : 'thin';
