import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { Choice } from '../parts/Choice.tsx';
import { TextField } from '../parts/Field.tsx';
import { EventFields } from './events/EventFields.tsx';
import { allowedOf, UpdateFields } from './events/UpdateFields.tsx';
import * as texts from './webhookTexts.ts';
import type { Subscribed } from './webhookWords.ts';

export interface SubscriptionValues {
  url: string;
  description: string;
  event_types: Subscribed[];
  /** Null for all. */
  changed_fields: WebhookSubscription['changed_fields'];
  payload: WebhookSubscription['payload'];
  /** Digits; empty for no limit. */
  max_per_second: string;
}

export const valuesOf = ({
  url,
  description,
  event_types,
  changed_fields,
  payload,
  max_per_second,
}: WebhookSubscription): SubscriptionValues => ({
  url,
  description: description ?? '',
  event_types,
  changed_fields,
  payload,
  max_per_second: String(max_per_second ?? ''),
});

export const emptyValues = (): SubscriptionValues => ({
  url: '',
  description: '',
  event_types: [],
  changed_fields: null,
  payload: 'full',
  max_per_second: '',
});

/** The values as they are sent. */
export const sentOf = ({ url, description, max_per_second, ...same }: SubscriptionValues) => ({
  ...same,
  url: url.trim(),
  description: description.trim() || null,
  changed_fields: allowedOf(same.changed_fields, same.event_types),
  max_per_second: max_per_second.trim() === '' ? null : Number(max_per_second),
});

const perSecondMax = 1000;

/** Whether a text is empty, or a number that the API takes. */
const isPace = (text: string): boolean =>
  text.trim() === '' || (/^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= perSecondMax);

/** Returns the problems that stop the form from being sent. */
export const problemsOf = ({
  url,
  event_types,
  changed_fields,
  max_per_second,
}: SubscriptionValues): Partial<Record<keyof SubscriptionValues, string>> => ({
  ...(URL.canParse(url.trim()) ? {} : { url: texts.formNoUrl }),
  ...(event_types.length > 0 ? {} : { event_types: texts.formNoneChosen }),
  ...(allowedOf(changed_fields, event_types)?.length === 0 ? { changed_fields: texts.formNoneChosen } : {}),
  ...(isPace(max_per_second) ? {} : { max_per_second: texts.formNoRate(perSecondMax) }),
});

interface Props {
  values: SubscriptionValues;
  problems: ReturnType<typeof problemsOf>;
  change: (part: Partial<SubscriptionValues>) => void;
}

export const SubscriptionFields = ({ values, problems, change }: Props) => (
  <>
    <TextField
      label={texts.formUrl}
      name="url"
      problem={problems.url}
      type="url"
      inputMode="url"
      placeholder={texts.formUrlHint}
      value={values.url}
      maxLength={2048}
      change={(url) => change({ url })}
    />
    <EventFields
      chosen={values.event_types}
      problem={problems.event_types}
      choose={(event_types) => change({ event_types })}
    />
    <UpdateFields
      event_types={values.event_types}
      chosen={values.changed_fields}
      problem={problems.changed_fields}
      choose={(changed_fields) => change({ changed_fields })}
    />
    <TextField
      label={texts.formDescription}
      name="description"
      value={values.description}
      maxLength={500}
      change={(description) => change({ description })}
    />
    <details open={values.payload === 'thin' || values.max_per_second !== ''}>
      <summary>{texts.formMore}</summary>
      <Choice
        label={texts.factsContent}
        options={[
          ['full', texts.payloads.full],
          ['thin', texts.payloads.thin],
        ]}
        chosen={values.payload}
        choose={(payload) => change({ payload })}
      />
      {values.payload === 'thin' && <p class="note">{texts.formThin}</p>}
      <TextField
        label={texts.formRate}
        name="max_per_second"
        problem={problems.max_per_second}
        note={texts.formRateAbout}
        inputMode="numeric"
        placeholder={texts.formRateHint}
        value={values.max_per_second}
        maxLength={4}
        change={(max_per_second) => change({ max_per_second })}
      />
    </details>
  </>
);
