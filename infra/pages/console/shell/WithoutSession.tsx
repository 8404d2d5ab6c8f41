import { lazy } from '../lazy.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { route } from '../route.ts';
import { findSession, mayHaveSession } from '../session.ts';
import type { SessionState } from '../sessionState.ts';
import { Alone, isFramed, Ways } from './Alone.tsx';
import { Tabs } from './Header.tsx';
import * as texts from './shellTexts.ts';
import { Top } from './Top.tsx';

type Without = Exclude<SessionState, { kind: 'live' }>;

const unusual = lazy(async () => (await import('../secondScript.ts')).OtherSession);

/** The page while there is no session: why, and how to get one. */
export function WithoutSession({ state }: { state: Without }) {
  if (state.kind === 'starting')
    return (
      <>
        <Top />
        {mayHaveSession() && (
          <div class="bar">
            <Tabs tab={route.get().tab} isLater={false} />
          </div>
        )}
        <main>
          <p role="status" class="wait">
            {texts.signingIn}
          </p>
        </main>
      </>
    );
  if (state.kind === 'failed')
    return (
      <Alone title={texts.noConnection}>
        <p>{state.message}</p>
        <p class="actions">
          <button type="button" class="primary" onClick={() => findSession()}>
            {texts.tryAgain}
          </button>
        </p>
      </Alone>
    );
  return state.kind === 'ended' ? <Ended why={state.why} /> : <unusual.View state={state} />;
}

function Ended({ why }: Pick<Extract<Without, { kind: 'ended' }>, 'why'>) {
  return (
    <Alone title={texts.ended[why]}>
      {why !== 'signedOut' && <p>{texts.endedAbout[why]}</p>}
      <Ways hasSession={false} isFirst={why === 'none'} />
      {isFramed && (
        <p>
          <Sentence
            of={texts.framed}
            way={
              <a href={location.pathname} target="_blank" rel="noopener">
                {texts.framedWay}
              </a>
            }
          />
        </p>
      )}
    </Alone>
  );
}
