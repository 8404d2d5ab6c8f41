import type { EventResource } from '../events/event.ts';
import { readEvent } from '../events/readEvent.ts';

/** A delivery as any release has stored it: those before this one did not store the resource, but its event has it. */
interface AnyDelivery {
  event_id: string;
  resource?: EventResource;
}

/** The record that the event of a delivery is about; undefined when nothing tells it any more. */
export async function resourceOf(
  account: string,
  { event_id, resource }: AnyDelivery,
): Promise<EventResource | undefined> {
  if (resource) return resource;
  const event = await readEvent(account, event_id);
  if (!event?.bodies) return undefined;
  const { type, id } = (JSON.parse(event.bodies.thin) as { resource: EventResource }).resource;
  return { type, id };
}

/** @throws Error when nothing tells the resource: an event is kept as long as its deliveries */
export async function withResource<D extends AnyDelivery>(
  account: string,
  delivery: D,
): Promise<D & { resource: EventResource }> {
  const resource = await resourceOf(account, delivery);
  if (!resource) throw new Error(`The event ${delivery.event_id} of a delivery is gone`);
  return { ...delivery, resource };
}
