import { deliveryStatuses } from '../../../../lib/contract/attempts.ts';
import { eventTypes } from '../../../../lib/contract/eventTypes.ts';
import { Field } from '../parts/Field.tsx';
import type { DeliveryFilter } from './calls.ts';

export const isAny = (filter: DeliveryFilter): boolean =>
  Object.values(filter).every((value) => value === '');

interface Props {
  filter: DeliveryFilter;
  change: (filter: DeliveryFilter) => void;
}

/** Which deliveries to show: by status, by event, and of one contact, order or event registration. */
export const DeliveryFilters = ({ filter, change }: Props) => (
  <div class="filters">
    <Choice
      label="Status"
      any="Any status"
      values={deliveryStatuses}
      chosen={filter.status}
      choose={(status) => change({ ...filter, status })}
    />
    <Choice
      label="Event"
      any="Any event"
      values={eventTypes}
      chosen={filter.event_type}
      choose={(event_type) => change({ ...filter, event_type })}
    />
    <Field label="Id of the contact, order or event registration">
      {(described) => (
        <input
          {...described}
          type="search"
          placeholder="con_…, ord_… or reg_…"
          value={filter.resource_id}
          maxLength={28}
          onChange={({ currentTarget: { value } }) => change({ ...filter, resource_id: value.trim() })}
        />
      )}
    </Field>
  </div>
);

interface ChoiceProps<Value extends string> {
  label: string;
  any: string;
  values: readonly Value[];
  chosen: Value | '';
  choose: (value: Value | '') => void;
}

const Choice = <Value extends string>({ label, any, values, chosen, choose }: ChoiceProps<Value>) => (
  <Field label={label}>
    {(described) => (
      <select
        {...described}
        value={chosen}
        onChange={({ currentTarget: { value } }) => choose(value as Value | '')}
      >
        <option value="">{any}</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    )}
  </Field>
);
