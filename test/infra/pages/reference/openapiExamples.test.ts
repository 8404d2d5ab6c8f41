import { describe, expect, test } from 'vitest';
import { exampleDraft } from '../../../../infra/pages/reference/exampleDraft.ts';
import { mistakenBodies } from '../../../../infra/pages/reference/prose/bodies.ts';
import { mistakenQueries } from '../../../../infra/pages/reference/prose/parameters.ts';
import { type EventResourceType, type EventType, eventTypes } from '../../../../lib/contract/eventTypes.ts';
import { operations } from '../../../../lib/contract/index.ts';
import type { Origin } from '../../../../lib/contract/origin.ts';
import { type ErrorBody, errorNames } from '../../../../lib/errors/apiError.ts';
import type { Stored } from '../../../../lib/resources/collection.ts';
import { createContact } from '../../../../lib/resources/contacts.ts';
import { documents } from '../../../../lib/resources/documents.ts';
import { scopes as allScopes, ofEach, resourceTypes, type Scope } from '../../../../lib/resources/index.ts';
import type { Operation } from '../../../../lib/resources/operation.ts';
import { schemas } from '../../../../lib/resources/schemas.ts';
import {
  bodyFor,
  noticeEventOf,
  testEvent,
  webhookEventOf,
} from '../../../../lib/webhooks/model/webhookEvent.ts';
import { givenAccount, givenKey } from '../../../support/data/given.ts';
import {
  at,
  document,
  escaped,
  expectValid,
  type OperationObject,
  pointerOf,
  type Response,
} from '../../../support/documents/openapi.ts';
import { apiUrl, call, type Request } from '../../../support/http/api.ts';
import { validRequests } from '../../../support/http/requests.ts';
import { sampleOf } from '../../../support/run/sample.ts';

/** Every place of the document that shows examples: the pointer of the schema, and an example. */
function examplesIn(value: unknown, pointer = ''): [schema: string, example: unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  const { schema, example, examples, ...rest } = value as Record<string, unknown>;
  const here: [string, unknown][] = [
    ...(schema && example !== undefined ? [[`${pointer}/schema`, example] as [string, unknown]] : []),
    ...(schema && examples
      ? Object.values(examples).map((one): [string, unknown] => [`${pointer}/schema`, one.value])
      : []),
    ...(Array.isArray(examples) ? examples.map((one): [string, unknown] => [pointer, one]) : []),
  ];
  const inner = Object.entries({ ...rest, ...(schema ? { schema } : {}) });
  return [...here, ...inner.flatMap(([name, one]) => examplesIn(one, `${pointer}/${escaped(name)}`))];
}

test('every example is what its schema says', () => {
  const examples = examplesIn(document);
  expect(examples.length).toBeGreaterThan(400);
  for (const [schema, example] of examples) expectValid(schema, example);
});

test.each(resourceTypes)('the example of %s is one to the code, too, and to the inbox', (type) => {
  const example = document.components.schemas[documents[type].name]?.examples?.[0];
  expect(schemas[type].record().parse(example)).toEqual(example);
  expect(schemas[type].draft().safeParse(exampleDraft(type)).error).toBeUndefined();
});

test('the examples of requests are taken by the code', () => {
  for (const { path, method, body } of operations as readonly Operation[]) {
    const operation = document.paths[path]?.[method.toLowerCase()] as OperationObject;
    const example = operation.requestBody?.content['application/json'].example;
    if (body) expect(body().safeParse(example).error).toBeUndefined();
  }
  expect(createContact.body().safeParse({}).success).toBe(false);
});

const record = (name: string) =>
  document.components.schemas[name]?.examples?.[0] as Stored & Record<string, unknown>;

describe('webhooks', () => {
  const payload = (type: string) => `/webhooks/${type}/post/requestBody/content/application~1json`;
  const names: Record<EventResourceType, string> = {
    ...ofEach((_, type) => documents[type].name),
    subscription: 'Subscription',
  };

  test.each(eventTypes)('%s has the events that are sent as its examples', (type: EventType) => {
    const { full, thin } = at(document, `${payload(type)}/examples`) as Record<
      'full' | 'thin',
      { value: SentEvent }
    >;
    const { data, previous, changed_fields, timestamp } = full.value;
    const { version } = full.value.resource;
    const isDeletion = type.endsWith('.deleted');
    const resource = type.split('.')[0] as EventResourceType;
    const before = { ...data, ...previous, version: 1, updated_at: record(names[resource]).updated_at };
    const { id, body } =
      resource === 'subscription'
        ? announced(type, full.value)
        : webhookEventOf({
            account: 'acme',
            type: resource,
            before: changed_fields.length > 0 ? before : undefined,
            after: isDeletion ? { ...data, version, created_at: timestamp, updated_at: timestamp } : data,
            origin: full.value.origin,
            ...(isDeletion && { deletion: { mergedInto: null } }),
          });
    expect({ ...full.value, id }).toEqual(JSON.parse(body));
    expect({ ...thin.value, id }).toEqual(JSON.parse(bodyFor('thin', body)));
    for (const { value } of [full, thin]) expectValid(`${payload(type)}/schema`, value);
    const other = { ...JSON.parse(body), type: 'contact.unknown' };
    expect(() => expectValid(`${payload(type)}/schema`, other)).toThrow('must be equal to constant');
  });

  test('webhook.test is what a test sends', () => {
    const { body } = testEvent({ id: 'whs_5m7k9q1x3v8t2z4b6n0chjwr', version: 2 }, 'webhook.test');
    expectValid(`${payload('webhook.test')}/schema`, JSON.parse(body));
  });
});

const announced = (type: EventType, { resource, timestamp, origin, previous, data }: SentEvent) =>
  noticeEventOf({
    account: 'acme',
    type,
    resource: { type: 'subscription', id: data.id, version: resource.version },
    at: timestamp,
    previous,
    data,
    origin,
  });

interface SentEvent {
  origin: Origin | null;
  timestamp: string;
  resource: { version: number };
  data: Stored;
  previous: Record<string, unknown>;
  changed_fields: string[];
}

/** The gateway refuses a large body before it knows the operation. */
const withLargeBody = sampleOf(
  (operations as readonly Operation[]).filter(({ method }) => method !== 'GET'),
  { name: 'large bodies', count: 1 },
);

describe.each(operations.map((operation: Operation) => [operation.id, operation] as const))(
  'the documented errors of %s are its real answers:',
  (_, operation) => {
    const { id, path, method, scope, requestHeaders = [], params, query, body } = operation;
    const shown = (status: number) =>
      at(
        document,
        `${pointerOf('paths', path, method.toLowerCase(), 'responses', `${status}`)}/content/application~1json/example`,
      ) as ErrorBody;

    /** What is answered to a request of the operation that succeeds but for what is changed in it. */
    async function answered(change: (valid: Request) => Request, scopes: Scope[] = []) {
      const account = givenAccount();
      const { text: key } = await givenKey(account, scopes);
      const valid = await validRequests[id as keyof typeof validRequests](account);
      const reply = await call(operation, { key, ...change(valid) });
      return reply.body as ErrorBody;
    }

    test('400', async () => {
      const mistake = body
        ? { body: mistakenBodies[id as keyof typeof mistakenBodies] }
        : { query: query ? mistakenQueries[id as keyof typeof mistakenQueries] : { limit: '1' } };
      expect(await answered((valid) => ({ ...valid, ...mistake }))).toEqual(shown(400));
    });

    test.runIf(scope !== null)('403', async () => {
      const other = allScopes.find((one) => ![scope].flat().includes(one)) as Scope;
      expect(await answered((valid) => valid, [other])).toEqual(shown(403));
    });

    test.runIf(path.includes('{') && !params)('404', async () => {
      const last = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1] as string;
      const example = document.components.parameters[last]?.example as string;
      const missing = (valid: Request) => ({ ...valid, params: { ...valid.params, [last]: example } });
      expect(await answered(missing)).toEqual(shown(404));
    });

    test.runIf(requestHeaders.includes('If-Match'))('412', async () => {
      const { message } = await answered((valid) => ({ ...valid, headers: { 'If-Match': '"4"' } }));
      expect(message.replace('"1"', '"4"')).toBe(shown(412).message);
    });

    test.runIf(withLargeBody.includes(operation))('413, whatever else is wrong', async () => {
      const answer = await fetch(apiUrl + path, { method, body: 'x'.repeat(11_000_000) });
      const { content } = document.components.responses.Error413 as Response;
      expect([answer.status, await answer.json()]).toEqual([413, content?.['application/json'].example]);
    });
  },
);

test('the shared errors have the names of their statuses', () => {
  for (const [name, { content }] of Object.entries(document.components.responses)) {
    const [, status] = /^Error(\d{3})/.exec(name)?.map(Number) ?? [];
    if (status === undefined) continue;
    const body = content?.['application/json'].example as ErrorBody;
    expect(body.error).toBe(errorNames[(status === 502 ? 500 : status) as keyof typeof errorNames]);
  }
});
