import { useState } from 'preact/hooks';
import type { ActivityEntry } from '../../../../lib/contract/console/activity.ts';
import { useChosen } from '../address.ts';
import { readKeys } from '../keys/calls.ts';
import { useLoading } from '../loading.ts';
import { Heading } from '../parts/Heading.tsx';
import { KeyChoice } from '../parts/KeyChoice.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { OlderButton } from '../parts/OlderButton.tsx';
import { readActivity } from './calls.ts';
import { Entries } from './Entries.tsx';
import { texts } from './texts.ts';

export function ActivityTab() {
  const [{ key }, choose] = useChosen({ key: '' });
  const keyId = key || undefined;
  const loading = useLoading(() => readActivity(keyId), `activity ${key}`);
  return (
    <>
      <Heading title={texts.title} about={texts.about} />
      <KeyFilter chosen={key} choose={(chosen) => choose({ key: chosen })} />
      <Loaded loading={loading} what={texts.reading}>
        {(first) => <Pages key={`${key} ${first.data[0]?.id}`} keyId={keyId} first={first} />}
      </Loaded>
    </>
  );
}

function Pages({
  keyId,
  first,
}: {
  keyId: string | undefined;
  first: Awaited<ReturnType<typeof readActivity>>;
}) {
  const [{ data, has_more }, show] = useState(first);
  const older = async () => {
    const next = await readActivity(keyId, (data.at(-1) as ActivityEntry).id);
    show({ data: [...data, ...next.data], has_more: next.has_more });
  };
  return (
    <>
      <Entries entries={data} />
      {has_more && <OlderButton read={older} />}
    </>
  );
}

function KeyFilter({ chosen, choose }: { chosen: string; choose: (key: string) => void }) {
  const { data } = useLoading(readKeys, 'keys');
  return (
    <div class="filters">
      <KeyChoice any={texts.everything} keys={data} chosen={chosen} choose={choose} />
    </div>
  );
}
