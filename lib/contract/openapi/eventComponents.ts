import type * as z from 'zod';
import { type ResourceType, testEventType } from '../eventTypes.ts';
import { contactNotes } from '../reference/contacts.ts';
import { eventRegistrationNotes } from '../reference/eventRegistrations.ts';
import type { AnyNotes } from '../reference/notes.ts';
import { orderNotes } from '../reference/orders.ts';
import { eventNotes, eventResourceNotes, eventTypeNotes } from '../reference/webhookEvents.ts';
import { subscriptionNotes } from '../reference/webhooks.ts';
import { thin, webhookEvents, webhookTestEvent } from '../webhookEvents.ts';
import { type Components, output } from './component.ts';

/** The components of the resources in full events, by the type of the resource. */
export const eventComponentNames = {
  contact: 'Contact',
  order: 'Order',
  event_registration: 'EventRegistration',
} as const satisfies Record<ResourceType, string>;

const recordNotes: Record<ResourceType, AnyNotes> = {
  contact: contactNotes,
  order: orderNotes,
  event_registration: eventRegistrationNotes,
};

interface Example {
  /** The id of the resource. */
  id: string;
  type: string;
  before: object;
}

/** The components of an event. Their names begin with the name of its resource. */
function partsOf(
  [name, type]: readonly [name: string, type: string],
  event: () => z.ZodObject,
  notes: AnyNotes,
  example: Example,
): Components {
  const thing = type.replaceAll('_', ' ');
  const part = (field: string) => () => event().shape[field] as z.ZodType;
  return {
    [`${name}Event`]: output(
      event,
      `An event about a ${thing}.`,
      eventNotes(thing, example.type, Object.keys(example.before)),
    ),
    [`${name}EventResource`]: output(
      part('resource'),
      `The ${thing} that an event is about, and its version.`,
      eventResourceNotes(thing, type, example.id),
    ),
    [`Previous${name}`]: output(
      part('previous'),
      `The previous values of the changed fields of a ${thing}. Other fields are left out.`,
      notes,
      { example: example.before },
    ),
    [`Thin${name}`]: output(
      () => thin(example.id.split('_')[0] as string),
      `The data of a thin event: only the id of the ${thing}.`,
      { id: [`The id of the ${thing}.`, example.id] },
    ),
  };
}

function ofRecord(type: ResourceType): Components {
  const notes = recordNotes[type];
  const { change } = eventTypeNotes[`${type}.updated`];
  const example = { id: String(notes.id?.[1]), type: `${type}.updated`, before: change?.before ?? {} };
  return partsOf([eventComponentNames[type], type], webhookEvents[type], notes, example);
}

/** The components of all events. */
export const eventComponents: Components = {
  ...ofRecord('contact'),
  ...ofRecord('order'),
  ...ofRecord('event_registration'),
  ...partsOf(
    ['WebhookTest', 'webhook_subscription'],
    webhookTestEvent,
    {},
    {
      id: subscriptionNotes.id[1],
      type: testEventType,
      before: {},
    },
  ),
};
