import { useEffect, useState } from 'preact/hooks';
import { go } from '../addressHistory.ts';
import { draft } from '../drafts.ts';
import { KeysTab } from '../keys/KeysTab.tsx';
import { lazy } from '../lazy.tsx';
import { timeZone } from '../locale.ts';
import { Notice } from '../parts/Notice.tsx';
import { Toasts } from '../parts/Toasts.tsx';
import { hrefOf, type Route, route } from '../route.ts';
import { isOpen, liveSession, sessionState } from '../sessionState.ts';
import { keep, kept } from '../storage.ts';
import { useStore } from '../store.ts';
import { Header } from './Header.tsx';
import * as texts from './shellTexts.ts';
import { WithoutSession } from './WithoutSession.tsx';

/** The view that somebody wanted to see without a session. */
const wantedView = 'console-wanted';

const others = lazy(async () => (await import('../secondScript.ts')).Others);

export function App() {
  const state = useStore(sessionState);
  useEffect(() => {
    const { tab, id, query } = route.get();
    // A dialog is of the person who has opened it.
    if (state.kind === 'ended' && location.hash.startsWith('#/'))
      keep('sessionStorage', wantedView, hrefOf(tab, id, { ...query, dialog: '' }));
  }, [state.kind]);
  if (state.kind !== 'live') return <WithoutSession state={state} />;
  const { account, actor } = state.session;
  return <Console key={`${account} ${actor.id}`} />;
}

function Console() {
  const asked = useStore(route);
  const [isLater, setLater] = useState(false);
  const shown: Route = isOpen(asked.tab) ? asked : { tab: 'keys', query: {} };
  useEffect(() => {
    // The next session continues where the one before ended.
    const hash = draft()?.hash ?? kept('sessionStorage', wantedView);
    if (typeof hash === 'string' && !location.hash) go(hash, 'replace');
    keep('sessionStorage', wantedView, undefined);
    // After the keys, which are on their way: then every tab is there at once.
    setTimeout(() => {
      others.fetch();
      setLater(true);
    }, 1000);
  }, []);
  return (
    <>
      <Header tab={shown.isUnknown ? undefined : shown.tab} isLater={isLater} />
      <main>
        {liveSession().suspended && <Suspended />}
        <View
          key={`${shown.tab} ${shown.id} ${shown.isUnknown}`}
          tab={shown.isUnknown ? undefined : shown.tab}
          id={shown.id}
        />
      </main>
      <footer class="foot">{texts.timesIn(timeZone())}</footer>
      <Toasts />
    </>
  );
}

const Suspended = () => (
  <Notice tone="bad">
    <p>
      <strong>{texts.suspended}</strong> {texts.suspendedAbout}
    </p>
  </Notice>
);

const View = ({ tab, id }: { tab: Route['tab'] | undefined; id: string | undefined }) =>
  tab === 'keys' && id === undefined ? <KeysTab /> : <others.View tab={tab} id={id} />;
