import type { SessionAnswer } from '../../../../lib/contract/console/consoleSession.ts';
import { findSession, keep } from '../session.ts';
import type { SessionState } from '../sessionState.ts';
import { Alone, Ways } from './Alone.tsx';
import * as texts from './otherTexts.ts';

type Other = Extract<SessionState, { kind: 'refused' | 'replacing' }>;

/** A link that was used, or that is for somebody else than the session of this browser. */
export const OtherSession = ({ state }: { state: Other }) =>
  state.kind === 'refused' ? <Refused other={state.other} /> : <Replacing other={state.other} />;

function Refused({ other }: { other: SessionAnswer | undefined }) {
  return (
    <Alone title={texts.refused}>
      <p>{texts.refusedAbout}</p>
      <Ways hasSession={other !== undefined} />
      {other && (
        <p>
          {texts.signedIn(other.actor.name, other.account_name ?? other.account)}{' '}
          <button type="button" onClick={() => keep(other)}>
            {texts.goOn(other.actor.name)}
          </button>
        </p>
      )}
    </Alone>
  );
}

function Replacing({ other }: { other: SessionAnswer }) {
  return (
    <Alone title={texts.replacing}>
      <p>
        {texts.signedIn(other.actor.name, other.account_name ?? other.account)}{' '}
        {texts.replacingAbout(other.actor.name)}
      </p>
      <p class="actions">
        <button type="button" class="primary" onClick={() => keep(other)}>
          {texts.stay(other.actor.name)}
        </button>
        <button type="button" onClick={() => findSession({ replace: true })}>
          {texts.open}
        </button>
      </p>
    </Alone>
  );
}
