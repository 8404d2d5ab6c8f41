import { deliveryStatuses } from '../../../../lib/contract/attempts.ts';
import { eventTypes } from '../../../../lib/contract/eventTypes.ts';
import { Choice } from '../parts/Choice.tsx';
import { Field } from '../parts/Field.tsx';
import type { DeliveryFilter } from './calls.ts';

export const isAny = (filter: DeliveryFilter): boolean =>
  Object.values(filter).every((value) => value === '');

const orAny = <Value extends string>(any: string, values: readonly Value[]) => [
  ['', any] as const,
  ...values.map((value) => [value, value] as const),
];

interface Props {
  filter: DeliveryFilter;
  change: (filter: DeliveryFilter) => void;
}

/** Which deliveries to show: by status, by event, and of one record or subscription. */
export const DeliveryFilters = ({ filter, change }: Props) => (
  <div class="filters">
    <Choice
      label="Status"
      options={orAny('Any status', deliveryStatuses)}
      chosen={filter.status}
      choose={(status) => change({ ...filter, status })}
    />
    <Choice
      label="Event"
      options={orAny('Any event', eventTypes)}
      chosen={filter.event_type}
      choose={(event_type) => change({ ...filter, event_type })}
    />
    <Field label="Id of what it is about">
      {(described) => (
        <input
          {...described}
          type="search"
          placeholder="con_…, ord_…, reg_… or whs_…"
          value={filter.resource_id}
          maxLength={28}
          onChange={({ currentTarget: { value } }) => change({ ...filter, resource_id: value.trim() })}
        />
      )}
    </Field>
  </div>
);
