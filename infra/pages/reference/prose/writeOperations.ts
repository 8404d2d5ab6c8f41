// The texts of the operations by which clients write records, with their components and examples. They follow from the declaration of the
// resource.
import type * as z from 'zod';
import { batchResultOf } from '../../../../lib/resources/batchResult.ts';
import { type Component, input, output } from '../../../../lib/resources/component.ts';
import type { Field, Fields } from '../../../../lib/resources/field.ts';
import { inputsOf, sentOf } from '../../../../lib/resources/fieldSchemas.ts';
import type { AnyNotes } from '../../../../lib/resources/notes.ts';
import type { Operation } from '../../../../lib/resources/operation.ts';
import type { OperationNote } from '../../../../lib/resources/reference.ts';
import { type Shaped, writableOf } from '../../../../lib/resources/resource.ts';
import { batchBytesMax, batchMax, batchOf, type RefusedEntry } from '../../../../lib/schemas/batch.ts';
import { capitalized } from './names.ts';

type Example = Readonly<Record<string, unknown>>;

/** The part of a resource's document that its write operations need. */
export interface WrittenDocument {
  name: string;
  one: string;
  many: string;
  notes: AnyNotes;
  parts?: Readonly<Record<string, readonly [name: string, description: string, notes: AnyNotes]>>;
  writes?: Record<'example' | 'patch' | 'mistaken', Example>;
  collection: Shaped;
  read: Operation;
  operations: readonly Operation[];
  /** The resource's own operations, which it shares with no other. */
  operationNotes: Readonly<Record<string, OperationNote>>;
  responses: Readonly<Record<string, () => z.ZodType>>;
}

/** The texts of an operation, with a typical body, one with common mistakes, and the components of both directions. */
export interface Write {
  note: OperationNote;
  body?: Example;
  mistaken?: Example;
  components: Record<string, Component>;
}

const and = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const code = (name: string): string => `\`${name}\``;

const namesOf = (fields: Fields, ...kinds: Field['is'][]): string[] =>
  Object.entries(fields).flatMap(([name, { is }]) => (kinds.includes(is) ? [name] : []));

/** Returns how a patch changes fields that are not plain values. */
function mergeRule(fields: Fields, shown: (name: string) => string): string {
  const merged = namesOf(fields, 'address', 'group', 'custom').map(shown);
  if (merged.length === 0) return '';
  return ` ${and.format(merged)} ${merged.length === 1 ? 'is' : 'are'} merged at every depth. Lists are replaced.`;
}

/**
 * Requires the first of these fields if the others are null or left out. Generators ignore the keyword `if`. From `anyOf` with several
 * `required`, the Go and Python generators would create types without the fields, or no types.
 */
const notAllNull = ([one = '', ...others]: readonly string[]) => ({
  if: { properties: Object.fromEntries(others.map((name) => [name, { type: 'null' }])) },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  then: { required: [one], properties: { [one]: { not: { type: 'null' } } } },
});

/** Returns each operation by which clients write the records of a document, by its id. */
export function writesOf(document: WrittenDocument): Record<string, Write> {
  const { name, one, many, notes, collection, read, operations, operationNotes, responses, writes } =
    document;
  const { prefix, identifiedBy = [] } = collection;
  const { example = {}, patch = {}, mistaken = {} } = writes ?? {};
  const { external_id, ...unnamed } = example;
  const fields = writableOf(collection);
  const closed = Object.keys(collection.fields)
    .filter((field) => !(field in fields))
    .map(code);
  const thing = one.replace(/^an? /, '');
  const tag = capitalized(many);
  const scope = code(String(read.scope));
  const after = `The ${thing} after the change, for a key that may read ${many}.`;
  const entry = { external_id, ...unnamed };
  const [refused] = batchOf(sentOf(collection, 'entry') as z.ZodType<{ external_id: string }>).parse([{}]);
  const message = (refused as RefusedEntry).problems.join('; ');
  const results = [
    { status: 201, id: notes.id?.[1], version: 1 },
    { status: 400, error: 'Bad Request', message },
  ];

  const ofOperation = ({ id, method, body, batch }: Operation): Write | undefined => {
    const sent = body as () => z.ZodType;
    if (batch)
      return {
        note: {
          tag,
          description: `Creates or replaces 1 to ${batchMax} ${many}, each by its \`external_id\` as \`PUT\` does. Each is stored on its own: if one is rejected, the others are still stored. \`results\` contains the outcome of each, in the same order. \`status\` is what \`PUT\` would have returned: 201, 200 or 400, with the problems in \`message\`. 504 means that the request ran out of time and the ${thing} may not be stored. Send such ${many} again, or repeat the whole batch: ${many} that are already stored do not change. The API rejects the whole batch with 400 if it is not a list of 1 to ${batchMax} entries, or if two entries have the same \`external_id\`. An entry whose JSON contains a name twice, or a number that would be rounded, is rejected alone. The body may have up to ${batchBytesMax.toLocaleString('en')} bytes. For ${one} that already existed, a key without ${scope} gets 204 and the \`version\`.`,
          success: `The results for the ${many}, in the order of the batch.`,
        },
        body: { [batch.list]: [entry] },
        mistaken: { [batch.list]: [] },
        components: {
          [`${name}InBatch`]: input(
            () => sentOf(collection, 'entry'),
            `A whole ${thing} in a batch. Fields that you leave out become null or empty.`,
            notes,
            { example: entry },
          ),
          [`${name}Batch`]: input(
            sent,
            `${tag} to create or to replace.`,
            { [batch.list]: [`1 to ${batchMax} ${many} with different external ids.`] },
            { example: { [batch.list]: [entry] } },
          ),
          [`${name}BatchResults`]: output(
            responses[id] as () => z.ZodType,
            `The results of a batch of ${many}.`,
            { results: [`One result for each ${thing}, in the order of the batch.`] },
            { example: { results } },
          ),
          [`${name}BatchResult`]: output(
            () => batchResultOf(prefix),
            `The result for one ${thing} in a batch: its id and version, or why it was rejected.`,
            {
              status: [
                `201: created. 200: replaced or unchanged. 204: the same as 200, for a key without ${scope}. 400: rejected. 504: the ${thing} may not be stored, so send it again.`,
                201,
              ],
              id: [`The id of the ${thing}. Left out with 204, 400 and 504.`, notes.id?.[1]],
              version: [`The version of the ${thing}. Left out with 400 and 504.`, 1],
              error: ['The name of the status. Only with 400 and 504.', 'Bad Request'],
              message: ['What is wrong and what is allowed. Only with 400 and 504.', message],
            },
            { example: results[0] },
          ),
        },
      };
    switch (method) {
      case 'POST': {
        const demanded = identifiedBy.length > 0;
        return {
          note: {
            tag,
            description: `${demanded ? `At least one of ${and.format(identifiedBy.map(code))} is required. ` : ''}An \`external_id\` is unique within the account: if another ${thing} already has it, the API returns 400, with the URL of that ${thing} in \`Location\` if the key may read it. Send an \`Idempotency-Key\` to be able to repeat the request without creating a second ${thing}.`,
            success: `The new ${thing}.`,
          },
          body: example,
          mistaken,
          components: {
            [`${name}Draft`]: input(
              sent,
              `A new ${thing}. ${demanded ? `It needs at least one of ${and.format(identifiedBy)}. Every other` : 'An optional'} field that you leave out is null or empty.`,
              notes,
              { example, ...(demanded ? { demands: notAllNull(identifiedBy) } : {}) },
            ),
          },
        };
      }
      case 'PATCH':
        return {
          note: {
            tag,
            description: `A merge patch (RFC 7396): fields that you leave out stay as they are, and \`null\` clears a field.${mergeRule(fields, code)} A patch that changes nothing keeps the version. ${closed.length === 0 ? `You can send the whole ${thing} as you read it if \`id\`, \`version\`, \`created_at\` and \`updated_at\` are unchanged.` : `Leave out ${and.format(closed)}: only the app behind this API writes ${closed.length === 1 ? 'it' : 'them'}.`} With \`If-Match\`, the API changes only the version that you name. A key without ${scope} gets 204 with an \`ETag\` and no body.`,
            success: after,
          },
          body: patch,
          mistaken,
          components: {
            [`${name}Patch`]: input(
              sent,
              `Changes to ${one} (RFC 7396): fields that you leave out stay as they are, and null clears a field.${mergeRule(fields, String)}`,
              notes,
              { example: patch },
            ),
          },
        };
      case 'PUT':
        return {
          note: {
            tag,
            description: `Replaces the ${thing} with this external id, or creates it. The body is the whole ${thing}: fields that you leave out become \`null\` or empty. You can leave \`external_id\` out of the body, but it cannot differ from the one in the URL. You can repeat the request: one that changes nothing keeps the version. With \`If-Match\`, the API replaces only the version that you name. With \`If-None-Match: *\`, it only creates. A key without ${scope} gets the body of ${one} that it created. For ${one} that already existed, it gets 204 with an \`ETag\` and no body.`,
            success: after,
          },
          body: unnamed,
          mistaken,
          components: {
            [`${name}Statement`]: input(
              sent,
              `A whole ${thing}. Fields that you leave out become null or empty.`,
              notes,
              { example: unnamed },
            ),
          },
        };
      case 'DELETE':
        return {
          note: {
            tag,
            description: `Deletes the ${thing} for good. From then on, nobody can read its content, and no webhook contains it. With \`If-Match\`, the API deletes only the version that you name.`,
            success: `The ${thing} was deleted.`,
          },
          components: {},
        };
      default:
        return undefined;
    }
  };
  return Object.fromEntries(
    operations.flatMap((operation) => {
      const write = operation.id in operationNotes ? undefined : ofOperation(operation);
      return write ? [[operation.id, write]] : [];
    }),
  );
}

/** Returns the objects and enums in what clients send, at any depth. */
export function inputParts({
  name,
  notes,
  parts = {},
  collection,
}: WrittenDocument): Record<string, Component> {
  const components: Record<string, Component> = {};
  const addParts = (fields: Fields, path: string, of: AnyNotes): void => {
    for (const [field, declared] of Object.entries(fields)) {
      const { draft, patch } = inputsOf(declared);
      const [one, description, inner] = parts[path + field] ?? [
        name + capitalized(field),
        of[field]?.[0] ?? '',
        {},
      ];
      if (declared.is === 'enum' && draft)
        components[one] = input(() => draft, description, {}, { example: of[field]?.[1] });
      else if (draft) components[`${one}Draft`] = input(() => draft, description, inner);
      if (patch) components[`${one}Patch`] = input(() => patch, description, inner);
      if (declared.is === 'group' || declared.is === 'list') addParts(declared.of, `${path}${field}.`, inner);
    }
  };
  addParts(writableOf(collection), '', notes);
  return components;
}
