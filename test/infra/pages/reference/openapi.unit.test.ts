import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import {
  examplesFile,
  examplesText,
  openapiFile,
  openapiText,
} from '../../../../infra/ops/documents/openapi.ts';
import { eventTypes, testEventType } from '../../../../lib/contract/eventTypes.ts';
import { operations } from '../../../../lib/contract/index.ts';
import type { Operation } from '../../../../lib/resources/operation.ts';
import {
  document,
  type Header,
  type OperationObject,
  resolved,
  type Schema,
} from '../../../support/documents/openapi.ts';
import { isRepeatable, queryParametersOf, written } from '../../../support/input/queries.ts';
import { root } from '../../../support/stack/stackProcess.ts';

test('the file in the tree is what the contract makes; "npm run openapi" writes it', () => {
  expect(readFileSync(openapiFile, 'utf8')).toBe(openapiText());
  expect(readFileSync(examplesFile, 'utf8')).toBe(examplesText());
});

test('it has the version of the project', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(document.info.version).toBe(version);
});

const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

test('its operations are those of the contract, and no others', () => {
  expect(
    described.map(({ path, method, operation }) => [operation.operationId, method, path]).sort(),
  ).toEqual(operations.map(({ id, method, path }) => [id, method, path]).sort());
});

test('its webhooks are the types of events, and the test', () => {
  expect(Object.keys(document.webhooks)).toEqual([...eventTypes, testEventType]);
});

describe.each(operations.map((operation: Operation) => [operation.id, operation] as const))(
  '%s',
  (id, {
    method,
    path,
    scope,
    summary,
    query,
    body,
    requestHeaders = [],
    success,
    bodyMayBeLeftOut,
    namesOwner,
    mayConflict,
  }) => {
    const operation = document.paths[path]?.[method.toLowerCase()] as OperationObject;

    test('is described in words of its own', () => {
      expect(operation.summary).toBe(summary);
      expect(operation.description.length).toBeGreaterThan(20);
      expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]);
    });

    test('needs the scope it needs, and says so in words', () => {
      expect(operation.description).toContain(
        scope === null
          ? 'Any valid key'
          : typeof scope === 'string'
            ? `Needs the scope \`${scope}\``
            : `Needs one of the scopes ${scope.map((one) => `\`${one}\``).join(', ')}`,
      );
      expect(operation.security).toEqual(
        scope === null ? [{ ApiKey: [] }] : [scope].flat().map((one) => ({ ApiKey: [one] })),
      );
    });

    test('reads the conditional header of its method where there are versions, or says that it does not', () => {
      const header = { GET: 'If-None-Match', PUT: 'If-Match', PATCH: 'If-Match', DELETE: 'If-Match' }[
        method as string
      ];
      const hasVersions = operations.some(
        (one: Operation) =>
          one.path === path && one.method !== 'POST' && one.success.headers?.includes('ETag'),
      );
      if (!header || !hasVersions) return;
      if (!requestHeaders.includes(header as (typeof requestHeaders)[number]))
        expect(operation.description).toContain(`does not read \`${header}\``);
    });

    test('takes the parameters and headers it takes, and no others', () => {
      const names = (operation.parameters ?? []).map((one) => resolved(one)).map((one) => [one.in, one.name]);
      expect(names).toEqual([
        ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ['path', name]),
        ...Object.keys((query?.() as z.ZodObject | undefined)?.shape ?? {}).map((name) => ['query', name]),
        ...requestHeaders.map((name) => ['header', name]),
      ]);
    });

    test('takes a body where it does', () => {
      expect(operation.requestBody !== undefined).toBe(body !== undefined);
      if (body) expect(operation.requestBody?.required).toBe(!bodyMayBeLeftOut);
    });

    test('answers with the statuses it has, and no others', () => {
      const statuses = [
        success.status,
        ...(success.created ? [201] : []),
        ...(success.bodyScope ? [204] : []),
        ...(method === 'GET' && requestHeaders.includes('If-None-Match') ? [304] : []),
        ...[400, 401, 403],
        ...(path.includes('{') && !success.created ? [404] : []),
        ...(mayConflict ? [409] : []),
        ...(requestHeaders.includes('If-Match') ? [412] : []),
        ...(method === 'GET' ? [] : [413, 415]),
        ...(requestHeaders.includes('Idempotency-Key') ? [422] : []),
        ...[429, 500, 502, 504],
      ];
      expect(Object.keys(operation.responses)).toEqual(statuses.map(String));
    });

    test('answers with the headers it has', () => {
      const replayed = requestHeaders.includes('Idempotency-Key') ? ['Idempotent-Replayed'] : [];
      const own = [...(success.headers ?? []), ...replayed];
      const always = ['X-Request-Id', 'Cache-Control', 'Strict-Transport-Security', 'X-Content-Type-Options'];
      for (const [status, answer] of Object.entries(operation.responses)) {
        const names = Object.keys(resolved(answer).headers as Record<string, Header>);
        const more =
          {
            201: own,
            204: success.headers?.filter((name) => name !== 'Location'),
            304: success.headers,
            400: namesOwner ? ['Location'] : [],
            429: ['Retry-After'],
            [success.status]: own,
          }[status] ?? [];
        expect(names, `${id} ${status}`).toEqual([...more, ...always]);
      }
    });
  },
);

describe.each(operations.filter((operation) => 'query' in operation))('the query of $id', (operation) => {
  const { query } = operation;
  const documented = queryParametersOf(operation);
  const preset = query().parse({}) as Record<string, unknown>;

  test.each(documented.map((parameter) => [parameter.name, parameter] as const))(
    '%s is documented as it is read',
    (name, parameter) => {
      const { description, schema, example } = parameter;
      const isTaken = (value: unknown) => {
        const values = written(parameter, value);
        return query().safeParse({ [name]: isRepeatable(parameter) ? values : values[0] }).success;
      };
      expect(description).toMatch(/\.$/);
      expect(isTaken(example)).toBe(true);
      expect(preset[name]).toBe(schema.default);
      for (const [limit, beyond] of [
        [schema.minimum, -1],
        [schema.maximum, 1],
      ] as [number | undefined, number][])
        if (limit !== undefined)
          expect([isTaken(limit), isTaken(BigInt(limit) + BigInt(beyond))]).toEqual([true, false]);
    },
  );
});

describe('the components', () => {
  const { schemas } = document.components;
  const fields = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).map(([field, schema]) => [`${name}.${field}`, schema] as const),
  );

  /** Whether a schema gets its example from the component that it refers to. */
  const refersToOne = ({ $ref, items, anyOf }: Schema): boolean =>
    $ref !== undefined || (items ? refersToOne(items) : (anyOf ?? []).some(refersToOne));

  test.each(fields)('%s has a description and an example', (_, schema) => {
    expect(schema.description).toMatch(/\.$/);
    expect(schema.examples?.length === 1 || refersToOne(schema)).toBe(true);
  });

  test.each(Object.entries(schemas))('%s has a description and an example', (_, schema) => {
    expect(schema.description).toMatch(/\.$/);
    expect(schema.examples).toHaveLength(1);
  });

  test('have a name for every object, so that none is written out twice', () => {
    const isObject = ({ type, anyOf = [], items }: Schema): boolean =>
      type === 'object' || anyOf.some(isObject) || (items !== undefined && isObject(items));
    expect(fields.filter(([, schema]) => isObject(schema)).map(([name]) => name)).toEqual([]);
  });

  test('say in words what is left out becomes: by "default", generated types would ask for it in every request', () => {
    expect(fields.filter(([, schema]) => 'default' in schema).map(([name]) => name)).toEqual([]);
  });

  test('are all used', () => {
    const text = JSON.stringify(document);
    for (const [kind, named] of Object.entries(document.components))
      for (const name of Object.keys(named))
        if (kind !== 'securitySchemes') expect(text).toContain(`"#/components/${kind}/${name}"`);
  });
});
