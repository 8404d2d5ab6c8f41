import { isDeepStrictEqual } from 'node:util';
import { exampleDraft } from '../../../infra/pages/reference/exampleDraft.ts';
import { documents } from '../../../lib/resources/documents.ts';
import type { ResourceType } from '../../../lib/resources/index.ts';
import type { EventNote } from '../../../lib/resources/reference.ts';
import { registrationsChange } from './eventRegistrations.ts';
import { ordersChange } from './orders.ts';

/** The ids of records that are there already. */
export interface Known {
  contact_id: string;
  order_id: string;
}

/** What the product's systems say of one record, one statement after the other. */
type Chapter = (known: Known) => object[];

/** A resource without a chapter has the changes of its reference. */
export const chapters: Partial<Record<ResourceType, Chapter>> = {
  order: ordersChange,
  event_registration: registrationsChange,
};

/** The example of the reference, and its change by each type of event. */
export const changesOf =
  (type: ResourceType): Chapter =>
  () => {
    const notes: EventNote<object>[] = Object.values(documents[type].reference.eventTypes);
    const states = notes.flatMap(({ change }) => (change ? [change.before, change.after] : [{}]));
    // What changes nothing is no change.
    const changes = states.filter((state, i) => !isDeepStrictEqual(state, states[i - 1]));
    return changes.map((more, i) => ({
      ...exampleDraft(type),
      ...more,
      updated_at: new Date(Date.UTC(2026, 2, 8, 8, i)).toISOString(),
    }));
  };
