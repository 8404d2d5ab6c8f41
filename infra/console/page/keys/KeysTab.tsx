import { useState } from 'preact/hooks';
import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { lazy } from '../lazy.tsx';
import { useLoading } from '../loading.ts';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { liveSession, mayChange } from '../sessionState.ts';
import { readKeys } from './calls.ts';
import { KeyTable } from './KeyTable.tsx';
import { useDialog } from './opened.ts';
import { isEnded } from './words.ts';

const dialogs = lazy(async () => (await import('../later.ts')).KeyDialogs);

export function KeysTab() {
  const loading = useLoading(readKeys, 'keys');
  return (
    <>
      {loading.data === undefined && <Heading title="API keys" about={about} />}
      <Loaded loading={loading} what="API keys">
        {(keys) => <Keys keys={keys} again={loading.again} />}
      </Loaded>
    </>
  );
}

const about = 'Programs use these keys to reach the data of this account.';

function Keys({ keys, again }: { keys: ConsoleKey[]; again: () => void }) {
  const [opened, open] = useDialog(keys);
  const create = mayChange() && (
    <button type="button" class="primary" onClick={() => open({ kind: 'create' })}>
      Create key
    </button>
  );
  return (
    <>
      <Heading title="API keys" about={about}>
        {keys.length > 0 && create}
      </Heading>
      {keys.length === 0 ? (
        <div class="empty">
          <h2>No API keys yet</h2>
          <p>
            A program that reads or changes the data of this account needs a key.{' '}
            {create
              ? 'Create one for each program, with only what it needs.'
              : !liveSession().suspended && 'An administrator can create one.'}
          </p>
          {create}
        </div>
      ) : (
        <Listed keys={keys} open={open} />
      )}
      {opened && <dialogs.View opened={opened} open={open} again={again} />}
    </>
  );
}

/** Whether a key has the words of a search: in its name, or as its last characters. */
const isFound = ({ name, secrets }: ConsoleKey, words: string): boolean =>
  name.toLowerCase().includes(words.toLowerCase()) || secrets.some(({ hint }) => hint === words.slice(-4));

function Listed({ keys, open }: { keys: ConsoleKey[]; open: Parameters<typeof KeyTable>[0]['open'] }) {
  const [words, search] = useState('');
  const [withEnded, showEnded] = useState(false);
  const ended = keys.filter(isEnded).length;
  const shown = keys.filter((key) => (withEnded || !isEnded(key)) && isFound(key, words.trim()));
  return (
    <>
      <div class="filters">
        <label>
          <span class="unseen">Search by name or last 4 characters</span>
          <input
            type="search"
            placeholder="Name or last 4 characters"
            value={words}
            onInput={(event) => search(event.currentTarget.value)}
          />
        </label>
        {ended > 0 && (
          <label class="choice">
            <input type="checkbox" checked={withEnded} onChange={() => showEnded(!withEnded)} />
            Show {ended} ended
          </label>
        )}
        <p class="unseen" role="status">
          {shown.length} of {keys.length} keys are shown
        </p>
      </div>
      {shown.length === 0 ? (
        <p class="empty">
          {words.trim()
            ? `No key has “${words.trim()}” in its name or as its last 4 characters.`
            : `All keys have ended. ${mayChange() ? 'Create one, or show' : 'Show'} those that have ended.`}
        </p>
      ) : (
        <KeyTable keys={shown} open={open} />
      )}
    </>
  );
}
