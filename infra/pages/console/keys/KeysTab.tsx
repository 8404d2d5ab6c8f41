import { useState } from 'preact/hooks';
import type { ConsoleKey, KeyWithSecret } from '../../../../lib/contract/console/consoleKeys.ts';
import { lazy } from '../lazy.tsx';
import { useLoading } from '../loading.ts';
import { Box } from '../parts/Box.tsx';
import { Choice } from '../parts/Choice.tsx';
import { useDialog } from '../parts/dialog/useDialog.ts';
import { Empty } from '../parts/Empty.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { readKeys } from '../readKeys.ts';
import { liveSession, mayChange } from '../sessionState.ts';
import { useChosen } from '../useChosen.ts';
import { KeyTable } from './KeyTable.tsx';
import * as texts from './keyListTexts.ts';
import { createForm, isEnded } from './keyWords.ts';
import { firstListing, type Listing, listed } from './listed.ts';

/** More would take a browser long to draw. */
const firstShown = 100;

const dialogs = lazy(async () => (await import('../secondScript.ts')).KeyDialogs);

export function KeysTab() {
  const loading = useLoading(readKeys, 'keys');
  const dialog = useDialog<KeyWithSecret>();
  return (
    <>
      <Heading title={texts.title} about={texts.about}>
        {mayChange() && loading.data?.length !== 0 && <CreateButton open={dialog.open} />}
      </Heading>
      <Loaded loading={loading} what={texts.title}>
        {(keys) => (
          <>
            <Keys keys={keys} open={dialog.open} />
            {(dialog.name || dialog.secret) && (
              <dialogs.View dialog={dialog} keys={keys} again={loading.again} />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

const CreateButton = ({ open }: Pick<ListProps, 'open'>) => (
  <button type="button" class="primary" onClick={() => open(createForm)}>
    {texts.create}
  </button>
);

interface ListProps {
  keys: ConsoleKey[];
  /** Opens the dialog of a name. */
  open: (name: string) => void;
}

const Keys = (props: ListProps) =>
  props.keys.length > 0 ? (
    <List {...props} />
  ) : (
    <Empty
      title={texts.none}
      about={
        <>
          {texts.noneAbout} {mayChange() ? texts.noneCreate : !liveSession().suspended && texts.noneViewer}
        </>
      }
      guide={['getting-started.html', texts.guide]}
    >
      {mayChange() && <CreateButton open={props.open} />}
    </Empty>
  );

function List({ keys, open }: ListProps) {
  const [listing, choose] = useChosen<Listing>(firstListing);
  const [isWhole, showWhole] = useState(false);
  const { words, only } = listing;
  const found = listed(keys, listing);
  const ended = keys.filter(isEnded).length;
  const scopes = [...new Set(keys.flatMap((key) => key.scopes))].sort();
  return (
    <>
      <div class="filters">
        <label>
          <span class="unseen">{texts.search}</span>
          <input
            type="search"
            placeholder={texts.searchHint}
            value={words}
            onInput={(event) => choose({ words: event.currentTarget.value }, 'replace')}
          />
        </label>
        <Choice
          label={texts.only}
          options={[
            ['', texts.onlyAll],
            ...Object.entries(texts.kinds),
            ...scopes.map((scope) => [scope, scope] as const),
          ]}
          chosen={only}
          choose={(chosen) => choose({ only: chosen })}
        />
        {ended > 0 && (
          <Box checked={listing.ended !== ''} change={(checked) => choose({ ended: checked ? 'shown' : '' })}>
            {texts.ended(ended)}
          </Box>
        )}
        <p class="quiet count" role="status">
          {texts.count(found.length, listing.ended || words.trim() ? keys.length : keys.length - ended)}
        </p>
      </div>
      {found.length === 0 ? (
        <p class="empty">
          {words.trim()
            ? texts.nothing(words.trim())
            : only
              ? texts.nothingOther
              : texts.allEnded(mayChange())}
        </p>
      ) : (
        <KeyTable keys={isWhole ? found : found.slice(0, firstShown)} open={open} />
      )}
      {!isWhole && found.length > firstShown && (
        <p class="older">
          <button type="button" onClick={() => showWhole(true)}>
            {texts.showAll(found.length)}
          </button>
        </p>
      )}
    </>
  );
}
