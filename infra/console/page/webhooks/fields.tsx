import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { Field } from '../parts/Field.tsx';
import { EventFields } from './EventFields.tsx';
import type { Subscribed } from './words.ts';

/** What the form of a subscription holds. */
export interface SubscriptionValues {
  url: string;
  description: string;
  event_types: Subscribed[];
  payload: WebhookSubscription['payload'];
  /** Digits; empty for no limit. */
  max_per_second: string;
}

export type Change = (part: Partial<SubscriptionValues>) => void;

export const valuesOf = ({
  url,
  description,
  event_types,
  payload,
  max_per_second,
}: WebhookSubscription): SubscriptionValues => ({
  url,
  description: description ?? '',
  event_types,
  payload,
  max_per_second: String(max_per_second ?? ''),
});

export const emptyValues = (): SubscriptionValues => ({
  url: '',
  description: '',
  event_types: [],
  payload: 'full',
  max_per_second: '',
});

/** The values as they are sent. */
export const sentOf = ({ url, description, max_per_second, ...same }: SubscriptionValues) => ({
  ...same,
  url: url.trim(),
  description: description.trim() || null,
  max_per_second: max_per_second.trim() === '' ? null : Number(max_per_second),
});

const perSecondMax = 1000;

/** Whether a text is empty, or a number that the API takes. */
const isPace = (text: string): boolean =>
  text.trim() === '' || (/^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= perSecondMax);

/** What must be corrected before the form is sent. */
export const problemsOf = ({
  url,
  event_types,
  max_per_second,
}: SubscriptionValues): { url?: string; event_types?: string; max_per_second?: string } => ({
  ...(URL.canParse(url.trim()) ? {} : { url: 'Enter the whole address, as in https://example.com/hooks.' }),
  ...(event_types.length > 0 ? {} : { event_types: 'Choose at least one.' }),
  ...(isPace(max_per_second)
    ? {}
    : { max_per_second: `Enter a whole number from 1 to ${perSecondMax}, or nothing.` }),
});

interface Props {
  values: SubscriptionValues;
  problems: ReturnType<typeof problemsOf>;
  change: Change;
}

export const SubscriptionFields = ({ values, problems, change }: Props) => (
  <>
    <Field label="URL of your receiver" problem={problems.url}>
      {(described) => (
        <input
          {...described}
          type="url"
          inputMode="url"
          placeholder="https://example.com/hooks"
          value={values.url}
          maxLength={2048}
          onInput={(event) => change({ url: event.currentTarget.value })}
        />
      )}
    </Field>
    <EventFields
      chosen={values.event_types}
      every="All, also those that are added later"
      problem={problems.event_types}
      choose={(event_types) => change({ event_types })}
    />
    <Field
      label="Content"
      note={values.payload === 'thin' && 'Your receiver reads the resource with a key of the API.'}
    >
      {(described) => (
        <select
          {...described}
          value={values.payload}
          onChange={({ currentTarget: { value } }) => change({ payload: value as 'full' | 'thin' })}
        >
          <option value="full">The whole resource</option>
          <option value="thin">Only its id</option>
        </select>
      )}
    </Field>
    <Field
      label="At most so many a second (optional)"
      problem={problems.max_per_second}
      note="So that many events at once, as after a pause, do not overload your receiver."
    >
      {(described) => (
        <input
          {...described}
          inputMode="numeric"
          placeholder="No limit"
          value={values.max_per_second}
          maxLength={4}
          onInput={(event) => change({ max_per_second: event.currentTarget.value })}
        />
      )}
    </Field>
    <Field label="Description (optional)">
      {(described) => (
        <input
          {...described}
          value={values.description}
          maxLength={500}
          onInput={(event) => change({ description: event.currentTarget.value })}
        />
      )}
    </Field>
  </>
);
