import { useChosen } from '../address.ts';
import { readKeys } from '../keys/calls.ts';
import { useLoading } from '../loading.ts';
import { Heading } from '../parts/Heading.tsx';
import { KeyChoice } from '../parts/KeyChoice.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { OlderButton } from '../parts/OlderButton.tsx';
import { usePages } from '../parts/pages.ts';
import { readActivity } from './calls.ts';
import { Entries } from './Entries.tsx';
import * as texts from './texts.ts';

export function ActivityTab() {
  const [{ key }, choose] = useChosen({ key: '' });
  const { data: keys } = useLoading(readKeys, 'keys');
  const loading = usePages<Awaited<ReturnType<typeof readActivity>>>(
    (known) => readActivity(key || undefined, known?.next),
    `activity ${key}`,
  );
  return (
    <>
      <Heading title={texts.title} about={texts.about} />
      <div class="filters">
        <KeyChoice any={texts.everything} keys={keys} chosen={key} choose={(one) => choose({ key: one })} />
      </div>
      <Loaded loading={loading} what={texts.reading}>
        {({ data, next }) => (
          <>
            <Entries entries={data} />
            {next !== undefined && <OlderButton read={loading.older} />}
          </>
        )}
      </Loaded>
    </>
  );
}
