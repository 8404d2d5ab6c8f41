import { useState } from 'preact/hooks';
import type { Problem } from '../call.ts';
import { toast } from '../parts/Toasts.tsx';
import { hrefOf, type Route } from '../route.ts';
import { signOut } from '../session.ts';
import { isOpen, liveSession } from '../sessionState.ts';

const tabs: readonly [Route['tab'], string][] = [
  ['keys', 'API keys'],
  ['usage', 'Usage'],
  ['failed-requests', 'Failed requests'],
  ['webhooks', 'Webhooks'],
  ['activity', 'Activity'],
];

export function Header({ tab }: { tab: Route['tab'] }) {
  const { account, account_name, actor, role, return_url } = liveSession();
  return (
    <>
      <header class="top">
        <p class="crumbs">
          <span>Settings</span> <span aria-hidden="true">/</span> <strong>Integrations</strong>
        </p>
        <p class="who">
          <bdi>{account_name ?? account}</bdi> · <bdi>{actor.name}</bdi>
          {role === 'viewer' && <span class="badge">read-only</span>}
        </p>
        {return_url !== null && <a href={return_url}>Back to the product</a>}
        <SignOut />
      </header>
      <nav class="tabs" aria-label="Integrations">
        {tabs
          .filter(([one]) => isOpen(one))
          .map(([one, name]) => (
            <a key={one} href={hrefOf(one)} aria-current={one === tab ? 'page' : undefined}>
              {name}
            </a>
          ))}
      </nav>
    </>
  );
}

function SignOut() {
  const [isPending, setPending] = useState(false);
  const clicked = () => {
    setPending(true);
    signOut().catch((problem: Problem) => {
      setPending(false);
      toast(`You are still signed in. ${problem.message}`);
    });
  };
  return (
    <button type="button" class="link" onClick={clicked} disabled={isPending}>
      {isPending ? 'Signing out…' : 'Sign out'}
    </button>
  );
}
