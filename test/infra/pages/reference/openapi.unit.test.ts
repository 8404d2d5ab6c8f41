import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  examplesFile,
  examplesText,
  openapiFile,
  openapiText,
} from '../../../../infra/ops/documents/openapiFiles.ts';
import { tablesFile, tablesText } from '../../../../infra/ops/documents/tablesDocument.ts';
import { operations } from '../../../../lib/contract/index.ts';
import { listContacts } from '../../../../lib/resources/contacts.ts';
import type { Operation } from '../../../../lib/resources/operation.ts';
import { document, type OperationObject, type Schema } from '../../../support/documents/openapi.ts';
import { isRepeatable, queryParametersOf, written } from '../../../support/input/queries.ts';
import { root } from '../../../support/stack/stackProcess.ts';

test('the file in the tree is what the contract makes; "npm run openapi" writes it', () => {
  expect(readFileSync(openapiFile, 'utf8')).toBe(openapiText());
  expect(readFileSync(examplesFile, 'utf8')).toBe(examplesText());
  expect(readFileSync(tablesFile, 'utf8')).toBe(tablesText());
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

describe.each(operations.map((operation: Operation) => [operation.id, operation] as const))(
  '%s',
  (_, { method, path, summary }) => {
    const operation = document.paths[path]?.[method.toLowerCase()] as OperationObject;

    test('is described in words of its own', () => {
      expect(operation.summary).toBe(summary);
      expect(operation.description.length).toBeGreaterThan(20);
      expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]);
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

describe('what tools read of it', () => {
  /** Every value of a name in the document, with where it stands. */
  function* valuesOf(name: string, value: unknown, path = ''): Generator<[path: string, value: unknown]> {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === name) yield [path, inner];
      yield* valuesOf(name, inner, `${path}/${key}`);
    }
  }

  // Tool modes of language models cut longer ones.
  test('no description is longer than 1,000 characters', () => {
    const all = [...valuesOf('description', document)];
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(([, text]) => typeof text === 'string' && text.length > 1000)).toEqual([]);
  });

  test('x-internal is true or false, and no text', () => {
    expect([...valuesOf('x-internal', document)].map(([, value]) => value)).toEqual([false, true]);
  });

  // Postman and others make requests of the patterns: the strangest texts that one allows.
  test('texts that people write have no pattern', () => {
    const { properties = {} } = document.components.schemas.ContactDraft as Schema;
    for (const name of ['external_id', 'email', 'first_name', 'phone', 'company', 'note', 'tags'])
      expect([...valuesOf('pattern', properties[name])], name).toEqual([]);
    for (const { name, schema } of queryParametersOf(listContacts))
      if (['external_id', 'email', 'phone', 'company', 'tag'].includes(name))
        expect([...valuesOf('pattern', schema)], name).toEqual([]);
  });

  test('every filter by the time of a change says that deletions do not appear in polls', () => {
    const all = Object.values(document.components.parameters).filter(({ name }) => name === 'updated_since');
    expect(all).toHaveLength(1);
    expect(all[0]?.description).toContain('Deleted records do not appear in polls: use `GET /changes`');
  });
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
});
