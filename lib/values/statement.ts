// The terms with which another system states a record, beside its fields. docs/merge.md says what they do.
import type * as z from 'zod';
import { id, integer, oneOf } from './fields.ts';
import { completed, type Demand, object, orNull } from './structure.ts';
import { externalId, isBlank } from './texts.ts';
import { time } from './times.ts';

/** @param prefix of the ids of records */
export const statementTerms = (prefix: string) => ({
  source_id: orNull(externalId()),
  /** The id of the record as your app knows it. A `source_id` without a record belongs to it from then on. */
  id: orNull(id(prefix)),
  /** When that system changed it, by its clock: an older state never replaces a newer one. */
  updated_at: orNull(time()),
  known_version: orNull(integer({ min: 0 })),
  revision: orNull(integer({ min: 0 })),
  /** The revision with which your app's row began. */
  first_revision: orNull(integer({ min: 0 })),
  /** The `deleted_at` of a deletion of which your app knew: its row is there after that. */
  known_deletion: orNull(time()),
  left_out: oneOf('clear', 'keep'),
});

/** The fields with the id of another record, each with the term that names it by the product's own id instead. */
export const linkTerms = { contact_id: 'contact_source_id', order_id: 'order_source_id' } as const;

export type LinkField = keyof typeof linkTerms;

export const linkFields = /* @__PURE__ */ Object.keys(linkTerms) as LinkField[];

/** The product's own ids of the records that fields name; `null` for none. */
export type Links = { readonly [Field in LinkField]?: string | null | undefined };

/** The link terms of a record with these fields. */
export const linkTermsOf = (fields: object): Record<string, z.ZodType<string | null>> =>
  Object.fromEntries(
    linkFields.filter((field) => field in fields).map((field) => [linkTerms[field], orNull(externalId())]),
  );

export const blankTerms = {
  external_id: null,
  source_id: null,
  id: null,
  updated_at: null,
  known_version: null,
  revision: null,
  first_revision: null,
  known_deletion: null,
  left_out: 'clear',
} as const;

const has = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && isBlank(value));

/** A record is found by the one or by the other. */
export const isFound: Demand = {
  field: 'external_id',
  holds: ({ external_id, source_id }) => has(external_id) || has(source_id),
  rule: 'is required and must be an id of 1 to 255 characters, unless there is a source_id',
};

/** Otherwise the row would have begun after the message about it. */
export const beganBefore: Demand = {
  field: 'first_revision',
  holds: ({ first_revision, revision }) =>
    !(typeof first_revision === 'number' && typeof revision === 'number' && first_revision > revision),
  rule: 'must not be above revision',
};

const names = (prefix: string) => ({
  source_id: orNull(externalId()),
  external_id: orNull(externalId()),
  id: orNull(id(prefix)),
});

const noNames = { source_id: null, external_id: null, id: null };

const isNamed: Demand = {
  field: 'source_id',
  holds: ({ source_id, external_id, id }) => has(source_id) || has(external_id) || has(id),
  rule: 'is required, unless there is an external_id or an id',
};

/** The deletion of a record: which one, and which one is there in its place. @param prefix of the ids of records */
export const deletion = (prefix: string) =>
  completed(
    object({
      ...names(prefix),
      /** That of the product's row, which is higher than those of all statements about it. */
      revision: orNull(integer({ min: 0 })),
      /** When your app deleted its row, by its clock. */
      updated_at: orNull(time()),
      /** The `deleted_at` of an earlier deletion that your app knew of when it sent this one. */
      known_deletion: orNull(time()),
      merged_into: orNull(
        completed(
          object({ ...names(prefix), first_revision: orNull(integer({ min: 0 })) }),
          { ...noNames, first_revision: null },
          isNamed,
        ),
      ),
    }),
    { ...noNames, revision: null, updated_at: null, known_deletion: null, merged_into: null },
    isNamed,
  );
