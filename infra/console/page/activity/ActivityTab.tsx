import { useState } from 'preact/hooks';
import type { ActivityEntry, listActivity } from '../../../../lib/contract/console/activity.ts';
import { call } from '../call.ts';
import { readKeys } from '../keys/calls.ts';
import { useLoading } from '../loading.ts';
import { Heading } from '../parts/Heading.tsx';
import { KeyChoice } from '../parts/KeyChoice.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { OlderButton } from '../parts/OlderButton.tsx';
import { hrefOf } from '../route.ts';
import { Entries } from './Entries.tsx';

const read = (key_id: string | undefined, before?: string) =>
  call<typeof listActivity>('GET', '/api/activity', { query: { key_id, before, limit: 50 } });

/** @param keyId shows only what was done to this key */
export function ActivityTab({ keyId }: { keyId: string | undefined }) {
  const loading = useLoading(() => read(keyId), keyId ?? 'all');
  return (
    <>
      <Heading
        title="Activity"
        about="Who changed a key, changed a webhook subscription in this page, or signed in, when and from where. No function can change or delete it."
      />
      <KeyFilter keyId={keyId} />
      <Loaded loading={loading} what="activity">
        {(first) => <Pages key={first.data[0]?.id} keyId={keyId} first={first} />}
      </Loaded>
    </>
  );
}

function Pages({ keyId, first }: { keyId: string | undefined; first: Awaited<ReturnType<typeof read>> }) {
  const [{ data, has_more }, show] = useState(first);
  const older = async () => {
    const next = await read(keyId, (data.at(-1) as ActivityEntry).id);
    show({ data: [...data, ...next.data], has_more: next.has_more });
  };
  return (
    <>
      <Entries entries={data} />
      {has_more && <OlderButton read={older} />}
    </>
  );
}

function KeyFilter({ keyId }: { keyId: string | undefined }) {
  const { data = [] } = useLoading(readKeys, 'keys');
  return (
    <div class="filters">
      <KeyChoice
        any="Everything"
        keys={data}
        chosen={keyId ?? ''}
        choose={(id) => {
          location.hash = hrefOf('activity', id || undefined);
        }}
      />
    </div>
  );
}
