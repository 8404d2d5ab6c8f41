import { deliveryStatuses } from '../../../../../lib/contract/attempts.ts';
import { eventTypes } from '../../../../../lib/contract/eventTypes.ts';
import { Choice, orAny } from '../../parts/Choice.tsx';
import type { DeliveryFilter } from '../webhookCalls.ts';
import * as texts from '../webhookTexts.ts';

export const isAny = (filter: DeliveryFilter): boolean =>
  Object.values(filter).every((value) => value === '');

const eventOptions = orAny(
  texts.logAnyEvent,
  eventTypes.map((type) => [type, type]),
);

const statusOptions = orAny(
  texts.logAnyStatus,
  deliveryStatuses.map((status) => [status, texts.logStatuses(status)]),
);

interface Props {
  filter: DeliveryFilter;
  change: (part: Partial<DeliveryFilter>) => void;
  /** How many there are; undefined while it is not known. */
  total: number | undefined;
}

/** Which deliveries to show: by status, event and time. */
export const DeliveryFilters = ({ filter, change, total }: Props) => (
  <div class="filters">
    <Choice
      label={texts.factsStatus}
      options={statusOptions}
      chosen={filter.status}
      choose={(status) => change({ status })}
    />
    <EventAndTime chosen={filter} change={change} />
    {total !== undefined && total > 0 && (
      <p class="quiet count" role="status">
        {texts.logCount(total)}
      </p>
    )}
  </div>
);

interface Chosen {
  chosen: Pick<DeliveryFilter, 'event' | 'hours'>;
  change: (part: Partial<Chosen['chosen']>) => void;
}

export const EventAndTime = ({ chosen: { event, hours }, change }: Chosen) => (
  <>
    <Choice
      label={texts.logEvent}
      options={eventOptions}
      chosen={event}
      choose={(chosen) => change({ event: chosen })}
    />
    <Choice
      label={texts.logTime}
      options={texts.logSpans}
      chosen={hours}
      choose={(chosen) => change({ hours: chosen })}
    />
  </>
);
