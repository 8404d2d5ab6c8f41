import { useEffect } from 'preact/hooks';
import { draft } from '../drafts.ts';
import { KeysTab } from '../keys/KeysTab.tsx';
import { lazy } from '../lazy.tsx';
import { Notice } from '../parts/Notice.tsx';
import { Toasts } from '../parts/Toasts.tsx';
import { type Route, route } from '../route.ts';
import { isOpen, liveSession, sessionState } from '../sessionState.ts';
import { useStore } from '../store.ts';
import { Header } from './Header.tsx';
import { WithoutSession } from './WithoutSession.tsx';

const others = lazy(async () => (await import('../later.ts')).Others);

export function App() {
  const state = useStore(sessionState);
  if (state.kind !== 'live') return <WithoutSession state={state} />;
  const { account, actor } = state.session;
  return <Console key={`${account} ${actor.id}`} />;
}

function Console() {
  const asked = useStore(route);
  const shown: Route = isOpen(asked.tab) ? asked : { tab: 'keys' };
  useEffect(() => {
    // What was typed when the session before ended is where it was.
    const hash = draft()?.hash;
    if (hash && !location.hash) location.hash = hash;
    // After the keys, which are on their way: then every tab is there at once.
    setTimeout(others.fetch, 1000);
  }, []);
  return (
    <>
      <Header tab={shown.tab} />
      <main>
        {liveSession().suspended && <Suspended />}
        <View key={`${shown.tab} ${shown.id}`} {...shown} />
      </main>
      <Toasts />
    </>
  );
}

const Suspended = () => (
  <Notice tone="bad">
    <p>
      <strong>The operator of this API has suspended this account.</strong> Every request with its keys is
      refused, and nothing is sent to its webhooks. Its keys and its activity can be read here, and nothing
      else. Ask the operator.
    </p>
  </Notice>
);

const View = (shown: Route) =>
  shown.tab === 'keys' && shown.id === undefined ? <KeysTab /> : <others.View {...shown} />;
