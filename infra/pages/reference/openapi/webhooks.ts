import {
  type EventResourceType,
  type EventType,
  eventTypes,
  testEventType,
} from '../../../../lib/contract/eventTypes.ts';
import { webhookAnswerNotes, webhookHeaderNotes } from '../prose/webhookDelivery.ts';
import { eventTypeNotes, testEventWhat } from '../prose/webhookEvents.ts';
import { refTo } from './componentSchema.ts';
import { exampleOf } from './components.ts';
import { eventComponentNames } from './eventComponents.ts';
import type { Json } from './jsonSchema.ts';

/** Turns an event type into an operation id: `contact.created` becomes `onContactCreated`. */
const operationIdOf = (type: string): string =>
  `on${type.replace(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}`;

const record = (name: string) => exampleOf(name) as Record<string, unknown>;

/** Returns the examples of an event: one with the payload full, one with thin. */
export function examplesOf(type: EventType) {
  const resource = type.split('.')[0] as EventResourceType;
  const name = eventComponentNames[resource];
  const { change } = eventTypeNotes[type];
  const [event, whole] = [record(`${name}Event`), record(name)];
  const isDeletion = type.endsWith('.deleted');
  const version = change || isDeletion ? 2 : 1;
  const updated_at = version === 2 ? event.timestamp : whole.updated_at;
  const deleted = { id: whole.id, merged_into: null };
  const full = {
    ...event,
    type,
    timestamp: updated_at,
    resource: { ...(event.resource as object), version },
    changed_fields: Object.keys(whole).filter((field) => field in (change?.after ?? {})),
    previous: change?.before ?? {},
    // Events show neither of these fields of a subscription.
    data: isDeletion
      ? deleted
      : { ...whole, ...change?.after, ...('version' in whole ? { version, updated_at } : {}) },
  };
  return {
    full: { summary: 'With the payload full', value: full },
    thin: {
      summary: 'With the payload thin',
      value: { ...full, previous: {}, data: isDeletion ? deleted : { id: whole.id } },
    },
  };
}

/** The headers of every request to a receiver. */
export const webhookParameters: Record<string, Json> = Object.fromEntries(
  Object.entries(webhookHeaderNotes).map(([name, note]) => [
    name,
    { name, in: 'header', required: true, ...note },
  ]),
);

const answerName = (status: string): string => `Receiver${status.replace('default', 'Default')}`;

/** The responses of a receiver. */
export const webhookResponses: Record<string, Json> = Object.fromEntries(
  Object.entries(webhookAnswerNotes).map(([status, description]) => [answerName(status), { description }]),
);

const postedTo = (type: string): string =>
  type === testEventType
    ? 'The event is sent only to the tested subscription, and is not retried.'
    : `The event is sent to every ${type.startsWith('subscription.') ? 'other ' : ''}active subscription to \`${type}\`, \`${type.split('.')[0]}.*\` or \`*\`, unless \`changed_fields\` or \`exclude_own\` of the subscription leaves it out.`;

function webhook(type: string, what: string, component: string, examples: Json): Json {
  const isOfType = { type: 'object', required: ['type'], properties: { type: { const: type } } };
  return {
    post: {
      operationId: operationIdOf(type),
      summary: type,
      description: `${what}. ${postedTo(type)}`,
      tags: ['Events'],
      security: [],
      parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { allOf: [refTo(component), isOfType] }, examples } },
      },
      responses: Object.fromEntries(
        Object.keys(webhookAnswerNotes).map((status) => [
          status,
          { $ref: `#/components/responses/${answerName(status)}` },
        ]),
      ),
    },
  };
}

/** Returns the requests to receivers, by event type. */
export const webhooksOf = (): Record<string, Json> => ({
  ...Object.fromEntries(
    eventTypes.map((type) => {
      const component = `${eventComponentNames[type.split('.')[0] as EventResourceType]}Event`;
      return [type, webhook(type, eventTypeNotes[type].what, component, examplesOf(type))];
    }),
  ),
  [testEventType]: webhook(testEventType, testEventWhat, 'WebhookTestEvent', {
    test: { summary: 'A test', value: exampleOf('WebhookTestEvent') },
  }),
});
