import type { Draft } from '../../lib/records/create/draft.ts';
import type { Stored } from '../../lib/resources/collection.ts';
import type { Delivery } from '../../lib/webhooks/model/delivery.ts';
import type { LiveSecret } from '../../lib/webhooks/model/secrets.ts';
import type { Subscription } from '../../lib/webhooks/model/subscription.ts';
import type { Redelivery } from '../../lib/webhooks/redelivery/redelivery.ts';

export const deliveries = 'webhooks: <account>#<subscription>#<partition> <position>';
export const subscriptions = 'webhooks: <account>#subscriptions <subscription>';

/** The fields of a type: the type check refuses a list with one too few or too many. */
const fieldsOf = <Type>(fields: Record<keyof Type, 1>): string[] => Object.keys(fields);

/**
 * The kinds of items that have a type in lib, the path within them, and the fields of the type. A new optional field
 * has to be added here, and an item that has it to the story.
 */
export const declaredFields: [kind: string, path: string, fields: string[]][] = [
  [
    deliveries,
    '',
    fieldsOf<Delivery>({
      pk: 1,
      sk: 1,
      id: 1,
      event_id: 1,
      event_type: 1,
      subscription_id: 1,
      resource: 1,
      origin: 1,
      status: 1,
      status_reason: 1,
      attempt_count: 1,
      attempts: 1,
      next_attempt_at: 1,
      schedule_start: 1,
      postponements: 1,
      slots: 1,
      parked: 1,
      released_at: 1,
      strikes: 1,
      due_partition: 1,
      enqueue_at: 1,
      redelivery: 1,
      erased: 1,
      resent: 1,
      claim: 1,
      claimed_until: 1,
      created_at: 1,
    }),
  ],
  [
    subscriptions,
    '',
    fieldsOf<Subscription>({
      id: 1,
      url: 1,
      event_types: 1,
      description: 1,
      payload: 1,
      max_per_second: 1,
      exclude_own: 1,
      changed_fields: 1,
      status: 1,
      status_reason: 1,
      next_probe_at: 1,
      secret_hint: 1,
      previous_secret_expires_at: 1,
      version: 1,
      created_at: 1,
      updated_at: 1,
      consecutive_failures: 1,
      last_success_at: 1,
      last_failure_at: 1,
      failing_since: 1,
      parked_since: 1,
      recovering_since: 1,
      speed: 1,
      speed_contradictions: 1,
      speed_attempts: 1,
      log_count: 1,
      log_days: 1,
      log_at: 1,
      created_by_key_id: 1,
      updated_by_key_id: 1,
      key_ids: 1,
      before_stop: 1,
      host_position: 1,
      accepted_host: 1,
      host: 1,
    }),
  ],
  [
    'webhooks: <account>#<subscription> <redelivery>',
    '',
    fieldsOf<Redelivery>({
      pk: 1,
      sk: 1,
      since: 1,
      before: 1,
      event_types: 1,
      status_filter: 1,
      state: 1,
      total: 1,
      redelivered: 1,
      skipped: 1,
      next_position: 1,
      end_position: 1,
      last_position: 1,
      restarted_at: 1,
      left_out: 1,
      runs: 1,
      due_partition: 1,
      enqueue_at: 1,
      created_at: 1,
      updated_at: 1,
      ttl: 1,
    }),
  ],
  [
    'webhooks: <account>#secrets <subscription>',
    '.secrets[]',
    fieldsOf<LiveSecret>({ secret: 1, expires_at: 1 }),
  ],
  [
    'records: <account>#<type>#queue#<part> <ticket> (contact)',
    '.draft',
    // A draft from the inbox also has `statedAt` and more, but it is committed at once and never stored.
    fieldsOf<Omit<Draft<Stored>, 'statedAt' | 'revision' | 'sourceId'>>({
      seed: 1,
      content: 1,
      origin: 1,
      once: 1,
    }),
  ],
];
