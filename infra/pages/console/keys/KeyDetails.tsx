import type { KeyWithHistory, KeyWithSecret } from '../../../../lib/contract/console/consoleKeys.ts';
import { Entries } from '../activity/Entries.tsx';
import { FailuresOfKey } from '../failures/FailuresTab.tsx';
import { readShown, useLoading } from '../loading.ts';
import { counted } from '../locale.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { useDialog } from '../parts/dialog/useDialog.ts';
import { Fact } from '../parts/Fact.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Notice } from '../parts/Notice.tsx';
import { Outcome } from '../parts/Outcome.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { LastUse, Time } from '../parts/Time.tsx';
import { toast } from '../parts/Toasts.tsx';
import { hrefOf } from '../route.ts';
import { useSending } from '../sending.ts';
import { isOpen, mayChange } from '../sessionState.ts';
import { atMinute } from '../shownTimes.ts';
import { KeyDialogs } from './KeyDialogs.tsx';
import { Access, choicesFor, Expiry, Status } from './KeyTable.tsx';
import { endOldSecrets, readKey } from './keyCalls.ts';
import * as texts from './keyTexts.ts';
import { hintsOf, isEnded } from './keyWords.ts';
import { SecretTable } from './SecretTable.tsx';

export function KeyDetails({ id }: { id: string }) {
  const loading = useLoading(() => readKey(id), `key ${id}`);
  return (
    <>
      <p class="back">
        <a href={hrefOf('keys')}>{texts.detailsBack}</a>
      </p>
      <Loaded loading={loading} what={texts.detailsKey} isView>
        {(key) => <Details of={key} again={loading.again} />}
      </Loaded>
    </>
  );
}

function Details({ of, again }: { of: KeyWithHistory; again: () => void }) {
  const dialog = useDialog<KeyWithSecret>();
  const hints = hintsOf(of);
  return (
    <>
      <Heading title={of.name} about={<code>{of.display}</code>}>
        {mayChange() &&
          !isEnded(of) &&
          choicesFor(of, dialog.open).map(({ name, choose, danger }) => (
            <button key={name} type="button" class={danger ? 'bad' : ''} onClick={choose}>
              {name}
            </button>
          ))}
      </Heading>
      {of.changes_recorded !== of.version && (
        <Notice tone="bad">
          <strong>{texts.detailsNotAll}</strong> {texts.detailsNotAllAbout(of.version, of.changes_recorded)}
        </Notice>
      )}
      {of.status === 'expired' && <Notice tone="info">{texts.detailsExpired}</Notice>}
      {hints.length > 0 && <Notice tone="warn">{hints.join(' · ')}</Notice>}
      <Facts of={of} />
      {isOpen('usage') && <FailuresOfKey id={of.id} />}
      <h2>{texts.detailsSecrets}</h2>
      <SecretTable of={of} />
      {mayChange() && of.status === 'rotating' && <EndOldSecrets id={of.id} />}
      <h2>{texts.detailsHistory}</h2>
      <Entries entries={of.history} />
      <KeyDialogs dialog={dialog} keys={[of]} again={again} />
    </>
  );
}

/** Ends what a rotation has left to work for a while. */
function EndOldSecrets({ id }: { id: string }) {
  const { progress, send } = useSending(
    `end-old ${id}`,
    () => endOldSecrets(id),
    () => {
      toast(texts.detailsIsEnded);
      readShown();
    },
  );
  const isPending = progress.kind === 'pending';
  return (
    <p class="actions">
      <button type="button" class="bad" disabled={isPending} onClick={() => send({})}>
        {isPending ? texts.detailsEndOldWaiting : texts.detailsEndOld}
      </button>
      <Outcome of={progress} />
    </p>
  );
}

const Facts = ({ of }: { of: KeyWithHistory }) => (
  <dl class="facts">
    <Fact label={texts.detailsStatus}>
      <Status of={of} />
    </Fact>
    <Fact label={texts.detailsAccess}>
      <Access of={of} />
    </Fact>
    <Fact label={texts.detailsLastUsed}>
      <LastUse at={of.last_used_at} />
    </Fact>
    <Fact label={texts.detailsRequests}>
      {counted(of.requests_24h)}
      {isOpen('usage') && (
        <small>
          <a href={hrefOf('usage', undefined, { key: of.id })}>{texts.detailsUsage}</a> ·{' '}
          <a href={hrefOf('failed-requests', undefined, { key: of.id })}>{texts.detailsFailed}</a>
        </small>
      )}
    </Fact>
    <Fact label={texts.detailsExpires}>
      <Expiry of={of} />
    </Fact>
    <Fact label={texts.detailsCreated}>
      <Sentence
        of={of.created_by ? texts.detailsCreatedBy : '{time}'}
        time={<Time at={of.created_at} how={atMinute} />}
        person={<bdi>{of.created_by?.name}</bdi>}
      />
    </Fact>
    <Fact label={texts.detailsId}>
      <code>{of.id}</code> <CopyButton text={of.id} />
    </Fact>
  </dl>
);
