// The terms that another system sends with a record. docs/merge.md explains them.
import type * as z from 'zod';
import { id, integer, oneOf } from './fields.ts';
import { completed, type Demand, object, orNull } from './structure.ts';
import { externalId, isBlank } from './texts.ts';
import { time } from './times.ts';

/** @param prefix of the ids of records */
export const mergeTerms = (prefix: string) => ({
  source_id: orNull(externalId()),
  /** The id of the record, if your app knows it. If no record has the `source_id` yet, this record gets it. */
  id: orNull(id(prefix)),
  /** When the other system changed the record, by its own clock. An older state never replaces a newer one. */
  updated_at: orNull(time()),
  known_version: orNull(integer({ min: 0 })),
  revision: orNull(integer({ min: 0 })),
  /** The revision with which your app's row began. */
  first_revision: orNull(integer({ min: 0 })),
  /** The `deleted_at` of a deletion that your app knows about: its row exists after that. */
  known_deletion: orNull(time()),
  left_out: oneOf('clear', 'keep'),
});

/** The fields that contain the id of another record, each with the term that names that record by the product's own id. */
export const linkTerms = { contact_id: 'contact_source_id', order_id: 'order_source_id' } as const;

export type LinkField = keyof typeof linkTerms;

export const linkFields = /* @__PURE__ */ Object.keys(linkTerms) as LinkField[];

/** The product's own ids of the records that fields name; `null` for none. */
export type Links = { readonly [Field in LinkField]?: string | null | undefined };

/** Returns the link terms of a record with these fields. */
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

/** A record needs one of the two to be found. */
export const isFound: Demand = {
  field: 'external_id',
  holds: ({ external_id, source_id }) => has(external_id) || has(source_id),
  rule: 'is required and must be an id of 1 to 255 characters, unless there is a source_id',
};

/** Otherwise, the row would have begun after the message about it. */
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

/** The deletion of a record: which record is deleted, and which one takes its place. @param prefix of the ids of records */
export const deletion = (prefix: string) =>
  completed(
    object({
      ...names(prefix),
      /** The revision of the product's row, which is higher than those of all messages about it. */
      revision: orNull(integer({ min: 0 })),
      /** When your app deleted its row, by its own clock. */
      updated_at: orNull(time()),
      /** The `deleted_at` of an earlier deletion that your app knew about when it sent this one. */
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
