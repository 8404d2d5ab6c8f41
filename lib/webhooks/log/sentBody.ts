import type { Access } from '../../keys/access.ts';
import type { Delivery } from '../model/delivery.ts';
import { bodyFor } from '../model/event.ts';
import { mayRead, type Payload, payloadOf } from '../model/payload.ts';
import { readEvent } from '../model/storedEvent.ts';
import type { Log } from './log.ts';

/**
 * The text that the latest attempt of a delivery sent; before the first, the text that it will send. After an erasure, what that has
 * left of it.
 * @returns null when the key may not read it, when it is not kept any more, and when nothing was sent and nothing will be
 */
export async function sentBody(
  account: string,
  log: Log,
  delivery: Delivery,
  access: Access,
): Promise<string | null> {
  const payload = latestPayload(log, delivery);
  if (payload === undefined || (payload === 'full' && !mayRead(access, [delivery.event_type]))) return null;
  const event = await readEvent(account, delivery.event_id);
  return event?.body === undefined ? null : bodyFor(payload, event.body);
}

function latestPayload(log: Log, { attempts, event_type }: Delivery): Payload | undefined {
  const latest = attempts.at(-1);
  if (latest) return latest.payload;
  return log.deleted ? undefined : payloadOf(log, event_type);
}
