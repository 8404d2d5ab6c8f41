import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { countedOperations } from '../../../lib/contract/console/countedOperations.ts';
import { readScopes } from '../../../lib/contract/eventTypes.ts';
import { operations } from '../../../lib/contract/index.ts';
import type { Layout } from '../../../lib/resources/collection.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { documents } from '../../../lib/resources/documents.ts';
import { resources, resourceTypes, scopes } from '../../../lib/resources/index.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import { schemas } from '../../../lib/resources/schemas.ts';

describe('operations', () => {
  test('ids and routes are unique', () => {
    const routes = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    expect(new Set(routes).size).toBe(operations.length);
  });

  test('are what requests are counted by, and those without a route are others', () => {
    expect(countedOperations).toEqual([...operations.map(({ id }) => id), 'other']);
  });

  test('every scope opens an operation, and no scope is of two resources', () => {
    const needed = operations.flatMap(({ scope }) => scope ?? []);
    expect(new Set<string>(needed)).toEqual(new Set(scopes));
    expect(new Set(scopes).size).toBe(scopes.length);
  });

  test('the ids of operations are those of the facts, in their order', () => {
    for (const type of resourceTypes)
      expect(documents[type].operations.map(({ id }) => id)).toEqual(resources[type].operations);
  });

  test.each(operations.map((operation: Operation) => [operation.id, operation] as const))(
    '%s reads with a scope to read and writes with a scope to write',
    (_, { method, scope, path }) => {
      const area = path.split('/')[1];
      if (area === 'webhook-subscriptions') {
        expect(scope).toBe('webhooks:manage');
        return;
      }
      if (area === 'changes') {
        expect(scope).toEqual(Object.values(readScopes));
        return;
      }
      const own = resourceTypes.map((type) => resources[type]).find(({ path }) => path === area);
      expect(scope).toBe(own?.scopes[{ GET: 0, DELETE: 2 }[method as 'GET'] ?? 1] ?? null);
    },
  );
});

describe('layouts', () => {
  /** The layout that a schema stands for. */
  function layoutOf(schema: z.ZodType): Layout {
    if (schema instanceof z.ZodNullable) return layoutOf(schema.unwrap() as z.ZodType);
    if (schema instanceof z.ZodArray) {
      const inner = layoutOf(schema.element as z.ZodType);
      return inner === null ? null : [inner];
    }
    if (schema instanceof z.ZodObject)
      return Object.fromEntries(
        Object.entries(schema.shape).map(([name, field]) => [name, layoutOf(field as z.ZodType)]),
      );
    return schema instanceof z.ZodCustom ? 'by name' : null;
  }

  test.each(
    resourceTypes.map((type) => [type, collectionOf(type).layout as Layout, schemas[type].record()] as const),
  )('%s are stored with the fields of the contract, in its order', (_, layout, schema) => {
    expect(JSON.stringify(layout)).toBe(JSON.stringify(layoutOf(schema)));
  });
});
