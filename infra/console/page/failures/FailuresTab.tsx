import { useState } from 'preact/hooks';
import type { FailedRequestsAnswer } from '../../../../lib/contract/console/usage.ts';
import { readKeys } from '../keys/calls.ts';
import { useLoading } from '../loading.ts';
import { counted } from '../numbers.ts';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { OlderButton } from '../parts/OlderButton.tsx';
import { anyFailure, type FailureFilter, readFailures } from './calls.ts';
import { FailureFilters } from './FailureFilters.tsx';
import { FailureTable } from './FailureTable.tsx';

/** @param keyId shows only the requests with this key, at first */
export function FailuresTab({ keyId = '' }: { keyId: string | undefined }) {
  const [filter, set] = useState<FailureFilter>({ ...anyFailure, key_id: keyId });
  const { data: keys = [] } = useLoading(readKeys, 'keys');
  const loading = useLoading(() => readFailures(filter), JSON.stringify(filter));
  const nameOf = (id: string) => keys.find((key) => key.id === id)?.name ?? id;
  return (
    <>
      <Heading
        title="Failed requests"
        about="What was answered with an error in the last 14 days. A request is usually listed within 3 minutes. Nothing that it sent is kept."
      >
        <button type="button" onClick={loading.again} disabled={loading.isReading}>
          Read again
        </button>
      </Heading>
      <FailureFilters filter={filter} change={(part) => set({ ...filter, ...part })} keys={keys} />
      <Loaded loading={loading} what="failed requests">
        {(first) => <Pages key={JSON.stringify(first)} first={first} filter={filter} nameOf={nameOf} />}
      </Loaded>
    </>
  );
}

interface PagesProps {
  first: FailedRequestsAnswer;
  filter: FailureFilter;
  nameOf: (keyId: string) => string;
}

function Pages({ first, filter, nameOf }: PagesProps) {
  const [{ data, pagination, not_kept }, show] = useState(first);
  const older = async () => {
    const next = await readFailures(filter, pagination.next_before ?? undefined);
    show({ ...next, data: [...data, ...next.data], not_kept });
  };
  return (
    <>
      {data.length > 0 && <FailureTable shown={data} nameOf={nameOf} />}
      {data.length === 0 && pagination.next_before === null && <Nothing filter={filter} />}
      {pagination.next_before !== null && <OlderButton read={older} />}
      {not_kept > 0 && (
        <p class="note">
          {not_kept === 1 ? '1 more failed request was' : `${counted(not_kept)} more failed requests were`}{' '}
          counted, but not kept: of a key that fails very often, only some are. Usage counts them all.
        </p>
      )}
    </>
  );
}

const Nothing = ({ filter }: { filter: FailureFilter }) => (
  <p class="empty">
    {filter.request_id
      ? `No failed request of the last 14 days has the id “${filter.request_id}”. It is in the header X-Request-Id of each answer; a request that has just failed may take 3 minutes.`
      : JSON.stringify(filter) === JSON.stringify(anyFailure)
        ? 'No request has failed in the last 14 days.'
        : 'No failed request is like this.'}
  </p>
);
