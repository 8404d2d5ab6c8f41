import type {
  FailedRequest,
  FailureGroupsAnswer,
  groupFailedRequests,
  listFailedRequests,
  NotKept,
} from '../../../../lib/contract/console/consoleUsage.ts';
import { call } from '../call.ts';
import type { Hours } from '../parts/partTexts.ts';
import type { Pages } from '../parts/usePages.ts';
import { hoursAgo } from '../shownTimes.ts';

/** Which failed requests to show, and how; an empty text is all. */
export type FailureFilter = {
  key: string;
  status: '4xx' | '5xx' | '';
  /** How many hours ago they began to count. */
  hours: Hours;
  /** Both or none, in place of `hours`. */
  since: string;
  until: string;
  /** The id of a group: only its requests. */
  group: string;
  /** Finds one request, whatever the others are. */
  request: string;
  /** `requests`: each by itself, and not grouped. */
  view: '' | 'requests';
};

export const anyFailure: FailureFilter = {
  key: '',
  status: '',
  hours: '',
  since: '',
  until: '',
  group: '',
  request: '',
  view: '',
};

export const isGrouped = ({ view, group, request }: FailureFilter): boolean =>
  view === '' && group === '' && request === '';

const sentOf = ({ key, status, hours, since, until }: FailureFilter) => ({
  key_id: key,
  status_class: status,
  since: hours ? hoursAgo(Number(hours)) : since,
  until,
});

export interface Failures extends Pages<FailedRequest, string> {
  not_kept: NotKept;
  /** In the place of the requests. */
  groups?: FailureGroupsAnswer;
}

/** A page of failed requests, newest first. @param before the `next` of the page before */
export async function readFailures(filter: FailureFilter, before?: string): Promise<Failures> {
  const { data, pagination, not_kept } = await call<typeof listFailedRequests>(
    'GET',
    '/api/failed-requests',
    {
      query: {
        ...(filter.request ? { request_id: filter.request } : sentOf(filter)),
        group: filter.request ? '' : filter.group,
        before,
        limit: 50,
      },
    },
  );
  return { data, next: pagination.next_before ?? undefined, not_kept };
}

/** Failed requests by operation, status and reason. */
export const readGroups = (filter: FailureFilter) =>
  call<typeof groupFailedRequests>('GET', '/api/failed-requests/groups', { query: sentOf(filter) });

/** Names the requests of a filter, in all of the page. */
export const nameOf = ({ view: _, ...filter }: FailureFilter): string => `failures ${JSON.stringify(filter)}`;
