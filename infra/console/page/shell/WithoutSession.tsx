import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SessionAnswer } from '../../../../lib/contract/console/session.ts';
import { remembered } from '../remembered.ts';
import { findSession, keep } from '../session.ts';
import type { SessionState } from '../sessionState.ts';

type Without = Exclude<SessionState, { kind: 'live' }>;

const isFramed = window.self !== window.top;

/** The page while there is no session: why, and how to get one. */
export function WithoutSession({ state }: { state: Without }) {
  if (state.kind === 'starting')
    return (
      <main class="alone">
        <p role="status" class="wait">
          Signing you in…
        </p>
      </main>
    );
  if (state.kind === 'failed')
    return (
      <Alone title="No connection">
        <p>{state.message}</p>
        <p class="actions">
          <button type="button" class="primary" onClick={() => findSession()}>
            Try again
          </button>
        </p>
      </Alone>
    );
  if (state.kind === 'replacing') return <Replacing other={state.other} />;
  return state.kind === 'refused' ? <Refused other={state.other} /> : <Ended signedOut={state.signedOut} />;
}

function Alone({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main class="alone">
      <h1 ref={heading} tabindex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}

function Refused({ other }: { other: SessionAnswer | undefined }) {
  return (
    <Alone title="This link does not work any more">
      <p>A link opens this page once, within a minute. This one was used before, or is too old.</p>
      <Ways hasSession={other !== undefined} />
      {other && (
        <p>
          In this browser, {other.actor.name} is signed in for {other.account_name ?? other.account}.{' '}
          <button type="button" onClick={() => keep(other)}>
            Go on as {other.actor.name}
          </button>
        </p>
      )}
    </Alone>
  );
}

function Replacing({ other }: { other: SessionAnswer }) {
  return (
    <Alone title="Open another session?">
      <p>
        In this browser, {other.actor.name} is signed in for {other.account_name ?? other.account}. The link
        is for somebody else or for another account. Open it only if you have just asked for it: the session
        of {other.actor.name} then ends.
      </p>
      <p class="actions">
        <button type="button" class="primary" onClick={() => keep(other)}>
          Stay as {other.actor.name}
        </button>
        <button type="button" onClick={() => findSession({ replace: true })}>
          Open the link
        </button>
      </p>
    </Alone>
  );
}

function Ended({ signedOut }: { signedOut: boolean }) {
  return (
    <Alone title={signedOut ? 'You are signed out' : 'Your session has ended'}>
      {!signedOut && (
        <p>
          It ends after some time without a click, or when the product ends it. What you have typed is kept in
          this tab, except for secrets.
        </p>
      )}
      <Ways hasSession={false} />
      {isFramed && (
        <p>
          This page is inside another one. Your browser may not keep a session there:{' '}
          <a href={location.pathname} target="_blank" rel="noopener">
            open it in a new window
          </a>
          .
        </p>
      )}
    </Alone>
  );
}

/** How a person gets a new session. */
function Ways({ hasSession }: { hasSession: boolean }) {
  const { renew_url, return_url } = remembered();
  const target = isFramed ? '_blank' : undefined;
  return (
    <>
      {renew_url === null && <p>Open Settings › Integrations in the product again.</p>}
      <p class="actions">
        {renew_url !== null && (
          <a class="button primary" href={renew_url} target={target} rel="noopener">
            Sign in again
          </a>
        )}
        {return_url !== null && (
          <a class="button" href={return_url}>
            Back to the product
          </a>
        )}
        {!hasSession && (
          <button type="button" onClick={() => findSession()}>
            I have signed in in another tab
          </button>
        )}
      </p>
    </>
  );
}
