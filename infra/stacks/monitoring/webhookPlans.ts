import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { own } from './alarmMetrics.ts';
import { type AlarmPlan, deadLettersAlarm, minutes, waitingAlarm } from './alarmPlan.ts';
import type { Sources } from './sources.ts';

/** Returns the alarms along the path of an event to its receivers. */
export const plansOfWebhooks = (sources: Sources): AlarmPlan[] => {
  const { quick, slow, deadLetters } = sources.deliveries;
  return [
    waitingAlarm(
      [quick, slow],
      'Deliveries wait in their queues',
      'A delivery message has waited for half an hour',
    ),
    {
      heading: 'Deliveries are overdue',
      description:
        'A delivery was due half an hour ago, at least two messages were sent for it, and no attempt was made',
      metric: own(sources, 'overdue_seconds', Stats.MAXIMUM),
      limit: { above: minutes(30) },
      // A sweep finds the same delivery again only after 15 minutes.
      periods: 4,
      enough: 1,
    },
    deadLettersAlarm(
      [deadLetters],
      'Deliveries were dead-lettered',
      'Delivery messages are among the dead letters',
    ),
    {
      heading: 'The sweep does not run',
      description: 'No sweep has looked for due deliveries for ten minutes',
      metric: own(sources, 'overdue_seconds', Stats.SAMPLE_COUNT),
      limit: { below: 1 },
      periods: 2,
      always: true,
      // The metric counts runs, so missing data is the failure.
      missing: TreatMissingData.BREACHING,
    },
  ];
};
