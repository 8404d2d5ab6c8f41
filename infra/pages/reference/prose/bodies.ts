import { examplePattern, exampleType } from '../../../../lib/contract/eventTypes.ts';
import type { BodyOperationId } from '../../../../lib/contract/index.ts';
import type { RecordOperation } from '../../../../lib/resources/documents.ts';
import { allWrites } from './resources.ts';

type Example = Readonly<Record<string, unknown>>;

/** Returns the typical or mistaken bodies of all operations by which clients write records. */
const ofWrites = (what: 'body' | 'mistaken') =>
  Object.fromEntries(
    Object.entries(allWrites).flatMap(([id, write]) => (write[what] ? [[id, write[what]]] : [])),
  ) as Record<Extract<RecordOperation, { body: unknown }>['id'], Example>;

/** Typical bodies, for the examples. */
export const bodyExamples = {
  ...ofWrites('body'),
  createWebhookSubscription: {
    url: 'https://example.com/hooks',
    event_types: ['contact.*', exampleType],
    description: 'Keeps the CRM up to date',
    payload: 'full',
  },
  updateWebhookSubscription: { status: 'active' },
  rotateWebhookSecret: { overlap_seconds: 3600 },
  testWebhookSubscription: { check_signatures: true, event_type: exampleType },
  redeliverWebhooks: { since: '2026-03-01T00:00:00Z', status: 'all', event_types: [examplePattern] },
} satisfies Record<BodyOperationId, Example>;

/** Bodies with common mistakes, for the examples of 400. */
export const mistakenBodies: Record<BodyOperationId, Example> = {
  ...ofWrites('mistaken'),
  createWebhookSubscription: { url: 'https://example.com/hooks', event_types: ['contact.renamed'] },
  updateWebhookSubscription: { status: 'enabled' },
  rotateWebhookSecret: { overlap_seconds: 1_000_000 },
  testWebhookSubscription: { check_signatures: 'yes' },
  redeliverWebhooks: { since: 'yesterday', status: 'waiting' },
};
