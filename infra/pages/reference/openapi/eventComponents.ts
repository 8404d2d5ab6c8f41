import type * as z from 'zod';
import {
  type EventResourceType,
  type EventType,
  testEventType,
} from '../../../../lib/contract/eventTypes.ts';
import { thin, webhookEvents, webhookTestEvent } from '../../../../lib/contract/webhookEvents.ts';
import { subscriptionInEvents } from '../../../../lib/contract/webhookSubscriptions.ts';
import { documents } from '../../../../lib/resources/documents.ts';
import { ofEach, resourceTypes } from '../../../../lib/resources/index.ts';
import type { AnyNotes } from '../../../../lib/resources/notes.ts';
import { eventNotes, eventResourceNotes, eventTypeNotes } from '../prose/webhookEvents.ts';
import { subscriptionInEventsNotes, subscriptionNotes } from '../prose/webhooks.ts';
import { type Components, output } from './componentSchema.ts';

/** The components of resources in full events, by the type of the resource. */
export const eventComponentNames: Record<EventResourceType, string> = {
  ...ofEach((_, type) => documents[type].name),
  subscription: 'Subscription',
};

const resourceNotes: Record<EventResourceType, AnyNotes> = {
  ...ofEach<AnyNotes>((_, type) => documents[type].notes),
  subscription: subscriptionInEventsNotes,
};

interface Example {
  /** The id of the resource. */
  id: string;
  type: string;
  before: object;
}

/** Returns the components of an event. Their names begin with the name of its resource. */
function partsOf(
  [name, type, one]: readonly [name: string, type: string, one: string],
  event: () => z.ZodObject,
  notes: AnyNotes,
  example: Example,
): Components {
  const thing = type.replaceAll('_', ' ');
  const part = (field: string) => () => event().shape[field] as z.ZodType;
  return {
    [`${name}Event`]: output(
      event,
      `An event about ${one}.`,
      eventNotes(thing, example.type, Object.keys(example.before)),
    ),
    [`${name}EventResource`]: output(
      part('resource'),
      `The ${thing} that the event is about, and its version.`,
      eventResourceNotes(thing, type, example.id),
    ),
    [`Previous${name}`]: output(
      part('previous'),
      `The previous values of the fields that changed in the ${thing}. Fields that did not change are left out.`,
      notes,
      { example: example.before },
    ),
  };
}

const thinOf = (name: string, type: string, id: string): Components => ({
  [`Thin${name}`]: output(
    () => thin(id.split('_')[0] as string),
    `The data of thin events and of deletions: only the id of the ${type.replaceAll('_', ' ')}.`,
    {
      id: [`The id of the ${type.replaceAll('_', ' ')}.`, id],
      merged_into: ['Only in deletions: the id of the record that this one was merged into, if any.', null],
    },
  ),
});

/** @param exampleType the type of the event in the example */
function ofResource(type: EventResourceType, exampleType: EventType): Components {
  const notes = resourceNotes[type];
  const { change } = eventTypeNotes[exampleType];
  const example = { id: String(notes.id?.[1]), type: exampleType, before: change?.before ?? {} };
  const one = type === 'subscription' ? 'a subscription' : documents[type].one;
  const name = eventComponentNames[type];
  return {
    ...partsOf([name, type, one], webhookEvents[type], notes, example),
    ...thinOf(name, type, example.id),
  };
}

/** The components of all events. */
export const eventComponents: Components = {
  ...Object.assign({}, ...resourceTypes.map((type) => ofResource(type, `${type}.updated`))),
  Subscription: output(
    subscriptionInEvents,
    'A webhook subscription as it appears in events. Its URL is left out, because other receivers get these events.',
    subscriptionInEventsNotes,
  ),
  ...ofResource('subscription', 'subscription.suspended'),
  // Its data is the same as in a thin event about a subscription.
  ...partsOf(
    ['WebhookTest', 'webhook_subscription', 'a webhook subscription'],
    webhookTestEvent,
    {},
    {
      id: subscriptionNotes.id[1],
      type: testEventType,
      before: {},
    },
  ),
};
