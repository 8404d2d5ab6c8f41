import { contactDocument } from './contacts.reference.ts';
import { eventRegistrationDocument } from './eventRegistrations.reference.ts';
import type { ResourceType } from './index.ts';
import { orderDocument } from './orders.reference.ts';

/** The documents of all resources, for OpenAPI, CDK and the tests. No Lambda loads them. */
export const documents = {
  contact: contactDocument,
  order: orderDocument,
  event_registration: eventRegistrationDocument,
} as const satisfies Record<ResourceType, object>;

export type RecordOperation = (typeof documents)[ResourceType]['operations'][number];

export const recordOperations = Object.values(documents).flatMap(
  ({ operations }): readonly RecordOperation[] => operations,
);
