import { Duration } from 'aws-cdk-lib';
import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { changesGivenUp, changesLost, indexLag, ofFunction, own } from './alarmMetrics.ts';
import { type AlarmPlan, deadLettersAlarm, minutes, waitingAlarm } from './alarmPlan.ts';
import type { Sources } from './sources.ts';

/** Returns the alarms along the path of a record: from the inbox, to the outbox, and as a change to events and the index. */
export const plansOfRecords = (sources: Sources): AlarmPlan[] => [
  ...ofInbox(sources),
  ...ofOutbox(sources),
  ...changeAlarms(sources),
  ...ofDeferredChanges(sources),
  ...ofIndex(sources),
];

const ofInbox = (sources: Sources): AlarmPlan[] => {
  const { queue, retries, deadLetters } = sources.inbox;
  return [
    waitingAlarm(
      [queue, retries],
      'Records wait in the inbox',
      'A message of the records inbox has waited for half an hour',
    ),
    deadLettersAlarm(
      [deadLetters],
      'Records were dead-lettered',
      'Messages of the records inbox are among the dead letters',
    ),
    {
      heading: 'Records of the product have errors',
      description:
        'The inbox refused records of the product, or stored them without a field that it could not read; not urgent',
      metric: own(sources, 'refusals', Stats.SUM),
      limit: { above: 0 },
      periods: 1,
    },
    {
      heading: 'Edits of clients are overwritten',
      description:
        'The product replaced what clients had written, without saying that it knew of it; not urgent',
      metric: own(sources, 'edits_overwritten', Stats.SUM),
      limit: { above: 0 },
      periods: 1,
    },
  ];
};

const ofOutbox = ({ outbox }: Sources): AlarmPlan[] =>
  outbox === undefined
    ? []
    : [
        waitingAlarm(
          [outbox.queue],
          'Nobody reads the outbox',
          'A message of the records outbox has waited for half an hour; after 14 days it is gone',
        ),
        deadLettersAlarm(
          [outbox.deadLetters],
          'Messages of the outbox were dead-lettered',
          'Messages of the records outbox are among the dead letters',
        ),
      ];

const changeAlarms = (sources: Sources): AlarmPlan[] => [
  {
    heading: 'Changes wait in the stream',
    description:
      'Changes have waited for a quarter of an hour to become events; the stream keeps them for 24 hours',
    metric: ofFunction(sources.pipeline.fanOut, 'IteratorAge', Stats.MAXIMUM),
    limit: { above: 1000 * minutes(15) },
    periods: 1,
  },
  {
    heading: 'Changes were not processed',
    description:
      'Changes could not be made into events, or could not be indexed, and are kept in the bucket of failed changes',
    metric: changesGivenUp(sources),
    limit: { above: 0 },
    periods: 1,
    always: true,
  },
  {
    heading: 'Changes were not kept',
    description:
      'Changes could not be made into events, or could not be indexed, and the bucket of failed changes could not be written to',
    metric: changesLost(sources),
    limit: { above: 0 },
    periods: 1,
    always: true,
  },
];

const ofDeferredChanges = ({ deliveries }: Sources): AlarmPlan[] => [
  waitingAlarm(
    [deliveries.deferredFanOut, deliveries.deferredIndex],
    'Deferred changes wait in their queue',
    'A message of deferred changes has waited for half an hour',
  ),
  deadLettersAlarm(
    [deliveries.deferredFanOutDeadLetters, deliveries.deferredIndexDeadLetters],
    'Deferred changes were dead-lettered',
    'Messages of deferred changes are among the dead letters',
  ),
];

const ofIndex = (sources: Sources): AlarmPlan[] => [
  {
    heading: 'The index is late',
    description: 'The index of filters or the feed of changes is five minutes late',
    metric: indexLag(sources),
    limit: { above: minutes(5) },
    periods: 1,
  },
  {
    heading: 'The index is wrong',
    description: 'The daily comparison of the index of filters with the records has found differences',
    metric: own(sources, 'index_differences', Stats.MAXIMUM),
    limit: { above: 0 },
    periods: 1,
    always: true,
    // The alarm ends when a complete comparison has found nothing.
    missing: TreatMissingData.IGNORE,
  },
  {
    heading: 'The index is not verified',
    description: 'The index of filters has not been compared with the records for two days',
    metric: own(sources, 'index_differences', Stats.SAMPLE_COUNT).with({ period: Duration.days(1) }),
    limit: { below: 1 },
    periods: 2,
    // The metric counts runs, so missing data is the failure.
    missing: TreatMissingData.BREACHING,
  },
];
