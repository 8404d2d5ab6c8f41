import type { RedeliveryRequest } from '../../../../../lib/contract/webhookRedeliveries.ts';
import type { Subscribed } from '../words.ts';
import * as texts from './texts.ts';

/** What the form of a redelivery of many holds. Times are local, as the browser's field for times has them. */
export interface RedeliveryValues {
  /** How many hours ago it begins; empty for `at`. */
  hours: (typeof beginnings)[number][0];
  at: string;
  /** Where it ends; empty for `until`. */
  end: (typeof ends)[number][0];
  until: string;
  status: RedeliveryRequest['status'];
  event_types: Subscribed[];
}

export const beginnings = [
  ['1', texts.beginnings.hour],
  ['24', texts.beginnings.day],
  ['168', texts.beginnings.week],
  ['840', texts.beginnings.all],
  ['', texts.aTime],
] as const;

export const ends = [
  ['now', texts.now],
  ['', texts.aTime],
] as const;

export const firstValues = (): RedeliveryValues => ({
  hours: '24',
  at: '',
  end: 'now',
  until: '',
  status: 'failed',
  event_types: ['*'],
});

const hourMs = 3_600_000;

const beginsAt = ({ hours, at }: RedeliveryValues): number =>
  hours ? Date.now() - Number(hours) * hourMs : Date.parse(at);

const endsAt = ({ end, until }: RedeliveryValues): number => (end ? Date.now() : Date.parse(until));

/** What must be corrected before the form is sent. */
export function problemsOf(
  values: RedeliveryValues,
): Partial<Record<'at' | 'until' | 'event_types', string>> {
  const [since, before] = [beginsAt(values), endsAt(values)];
  const isMissing = texts.noTime;
  return {
    ...(Number.isNaN(since) ? { at: isMissing } : {}),
    ...(Number.isNaN(before) ? { until: isMissing } : {}),
    ...(before <= since ? { until: texts.notAfter } : {}),
    ...(values.event_types.length > 0 ? {} : { event_types: texts.noEvents }),
  };
}

/** The values as they are sent. */
export const requestOf = (values: RedeliveryValues): RedeliveryRequest => ({
  since: new Date(beginsAt(values)).toISOString(),
  before: values.end ? null : new Date(endsAt(values)).toISOString(),
  event_types: values.event_types.includes('*') ? null : values.event_types,
  status: values.status,
});
