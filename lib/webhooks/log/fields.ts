import { type Conditions, conditionsOf, type FilterQuery } from '../../lists/conditions.ts';
import type { IndexedFields, ValueField } from '../../resources/collection.ts';
import type { Delivery } from '../model/delivery.ts';
import type { Log } from './log.ts';

/** The part of a delivery that filters read. */
export type FilteredDelivery = Pick<Delivery, 'status' | 'event_type' | 'resource'>;

/** The only field of a delivery that changes. */
export const statusField: ValueField<FilteredDelivery> = {
  name: 'status',
  valuesOf: ({ status }) => [status],
  isEnumeration: true,
};

/** The filters of a log. */
export const deliveryFields: IndexedFields<FilteredDelivery> = {
  values: [
    statusField,
    { name: 'event_type', valuesOf: ({ event_type }) => [event_type], isEnumeration: true },
    { name: 'resource_id', valuesOf: ({ resource }) => [resource.id], isSelective: true },
  ],
  times: [],
};

/** The conditions of a query on the deliveries that a log shows. */
export const shownConditions = (query: FilterQuery): Conditions => conditionsOf(deliveryFields, query);

/**
 * The same conditions on the sets. These have the stored status, and a log of a deleted subscription shows its pending deliveries as
 * cancelled.
 */
export function storedConditions({ deleted }: Pick<Log, 'deleted'>, conditions: Conditions): Conditions {
  if (!deleted) return conditions;
  const stored = (statuses: readonly string[]) =>
    statuses.filter((status) => status !== 'pending').concat(statuses.includes('cancelled') ? 'pending' : []);
  return {
    ...conditions,
    values: conditions.values.map((condition) =>
      condition.field.name === statusField.name
        ? { ...condition, values: stored(condition.values) }
        : condition,
    ),
  };
}
