import type { IndexedFields, Stored, TimeField, ValueField } from '../resources/collection.ts';
import type { TimeRange } from './buckets.ts';

interface FilterQuery {
  /** Values, and times with `_since` and `_before`. */
  [filter: string]: string | number | readonly string[] | undefined;
}

export interface ListQuery extends FilterQuery {
  limit: number;
  offset: number;
  sort: 'created_at' | '-created_at';
  after?: string | undefined;
  id?: readonly string[] | undefined;
  external_id?: string | undefined;
  created_since?: string | undefined;
  created_before?: string | undefined;
  updated_since?: string | undefined;
}

/** One condition on values. With `all`, the record must have each value; otherwise, at least one of them. */
export interface ValueCondition {
  field: ValueField<never>;
  /** In the form in which values are compared. */
  values: readonly string[];
  all: boolean;
}

interface TimeCondition {
  field: TimeField<never>;
  range: TimeRange;
}

/** The conditions of a query. A record must fulfil all of them. */
export interface FilterConditions {
  values: ValueCondition[];
  times: TimeCondition[];
}

/** The conditions of a query of records: on the fields of their collection, and on the fields that all records have. */
export interface RecordConditions extends FilterConditions {
  externalId: string | undefined;
  created: TimeRange;
  updated: TimeRange;
}

export function conditionsOf<R>({ values, times }: IndexedFields<R>, query: FilterQuery): FilterConditions {
  return {
    values: values.flatMap((field) => {
      const asked = query[field.name] as string | readonly string[] | undefined;
      if (asked === undefined) return [];
      const { fold = (value: string) => value } = field;
      const list = typeof asked === 'string' ? [asked] : asked;
      // A record has only one value of an enum, so several values can only mean any of them.
      return [
        {
          field: field as ValueField<never>,
          values: [...new Set(list.map(fold))],
          all: !field.isEnumeration,
        },
      ];
    }),
    times: times.flatMap((field) => {
      const range = rangeOf(query, field.name);
      return range.since === undefined && range.before === undefined
        ? []
        : [{ field: field as TimeField<never>, range }];
    }),
  };
}

export function recordConditionsOf<R>(fields: IndexedFields<R>, query: ListQuery): RecordConditions {
  return {
    ...conditionsOf(fields, query),
    externalId: query.external_id,
    created: rangeOf(query, 'created'),
    updated: rangeOf(query, 'updated'),
  };
}

const rangeOf = (query: FilterQuery, name: string): TimeRange => ({
  since: query[`${name}_since`] as string | undefined,
  before: query[`${name}_before`] as string | undefined,
});

const isInside = (time: string | null, { since, before }: TimeRange): boolean =>
  time !== null && (since === undefined || time >= since) && (before === undefined || time < before);

export const matchesRecord = (record: Stored, conditions: RecordConditions): boolean =>
  (conditions.externalId === undefined || record.external_id === conditions.externalId) &&
  isInside(record.created_at, conditions.created) &&
  isInside(record.updated_at, conditions.updated) &&
  fulfilsFilters(record, conditions);

/** Returns whether a record or a delivery fulfils conditions as it is now. */
export function fulfilsFilters(record: unknown, { values, times }: FilterConditions): boolean {
  return (
    times.every(({ field, range }) => isInside(field.timeOf(record as never), range)) &&
    values.every(({ field, values: asked, all }) => {
      const own = comparedValues(field, record as never);
      return all ? asked.every((value) => own.includes(value)) : asked.some((value) => own.includes(value));
    })
  );
}

/** Returns the values of a record in the form in which they are compared, without missing ones. */
export const comparedValues = <R>(
  { valuesOf, fold = (value) => value }: ValueField<R>,
  record: R,
): string[] => valuesOf(record).flatMap((value) => (value === null ? [] : [fold(value)]));
