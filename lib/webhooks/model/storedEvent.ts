import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { eventKey } from './keys.ts';

/** The item of an event. */
export interface StoredEvent {
  /** The full body; the thin one after an erasure. */
  body: string;
  /** The position of its delivery in the log of each subscription, so that an erasure finds the deliveries. */
  delivery_positions: Record<string, number>;
  erased?: true;
  ttl: number;
}

/**
 * An erasure leaves this for a version without an event: its change may still wait in a queue, or among what was given up. The
 * change then becomes an event without the person.
 */
export interface ErasureMark {
  erased: true;
  ttl: number;
}

export const isErasureMark = (item: object | undefined): boolean => item !== undefined && !('body' in item);

/** The item of an event, which may be the mark of an erasure; undefined when it is not kept any more. */
export const readEvent = (account: string, id: string): Promise<Partial<StoredEvent> | undefined> =>
  readItem(webhooks, eventKey(account, id));
