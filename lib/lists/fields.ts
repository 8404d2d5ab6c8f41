import type { ValueField } from '../resources/collection.ts';

/** The values of a record in the form in which they are compared, without those that are missing. */
export const comparedValues = <R>(
  { valuesOf, fold = (value) => value }: ValueField<R>,
  record: R,
): string[] => valuesOf(record).flatMap((value) => (value === null ? [] : [fold(value)]));
