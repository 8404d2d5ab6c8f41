import { ApiError } from '../../apiError.ts';
import { isSubscribed, scopesToRead } from '../../contract/eventTypes.ts';
import { type Access, allows } from '../../keys/access.ts';
import type { Subscription } from './subscription.ts';

export type Payload = Subscription['payload'];

const missingScopes = (access: Access, eventTypes: readonly string[]) =>
  scopesToRead(eventTypes).filter((scope) => !allows(access, scope));

/** Whether a key may read what events of these types hold. */
export const mayRead = (access: Access, eventTypes: readonly string[]): boolean =>
  missingScopes(access, eventTypes).length === 0;

/**
 * The payload of a new subscription: what was asked for, or the most that the key may read.
 * @throws ApiError 403 when the key may not read what it asks to be sent
 */
export function payloadFor(access: Access, asked: Payload | null, eventTypes: readonly string[]): Payload {
  if (asked === 'full') assertMayRead(access, eventTypes);
  return asked ?? (mayRead(access, eventTypes) ? 'full' : 'thin');
}

/**
 * A key that may only manage webhooks must not read contacts through them.
 * @throws ApiError 403 that names the scopes which the key lacks
 */
export function assertMayRead(access: Access, eventTypes: readonly string[]): void {
  const missing = missingScopes(access, eventTypes);
  if (missing.length > 0)
    throw new ApiError(
      403,
      `This API key lacks the scope ${missing.join(' and ')}, which a full payload of these event types needs; with payload "thin", events hold ids only`,
    );
}

/**
 * What a subscription is sent of an event, by its settings of this moment: whoever made them may read that. Events of a
 * type that it is no longer subscribed to may be under way still, or be sent again; nobody has been asked about these.
 */
export const payloadOf = ({ payload, event_types }: Subscription, eventType: string): Payload =>
  payload === 'full' && isSubscribed(event_types, eventType) ? 'full' : 'thin';
