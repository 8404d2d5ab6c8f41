import type { listFailedRequests } from '../../../../lib/contract/console/usage.ts';
import { call } from '../call.ts';

/** Which failed requests to show; an empty text is all. */
export interface FailureFilter {
  key_id: string;
  status_class: '4xx' | '5xx' | '';
  /** How many hours ago they began to count. */
  hours: '' | '1' | '24' | '168';
  /** Finds one request, whatever the others are. */
  request_id: string;
}

export const anyFailure: FailureFilter = { key_id: '', status_class: '', hours: '', request_id: '' };

const hourMs = 3_600_000;

const queryOf = ({ key_id, status_class, hours, request_id }: FailureFilter) =>
  request_id
    ? { request_id }
    : {
        key_id: key_id || undefined,
        status_class: status_class || undefined,
        since: hours ? new Date(Date.now() - Number(hours) * hourMs).toISOString() : undefined,
      };

/** One page of failed requests, newest first. @param before the `next_before` of the page before */
export const readFailures = (filter: FailureFilter, before?: string) =>
  call<typeof listFailedRequests>('GET', '/api/failed-requests', {
    query: { ...queryOf(filter), before, limit: 50 },
  });
