import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { productName } from '../brand.ts';
import { remembered } from '../rememberedAddresses.ts';
import { findSession } from '../session.ts';
import * as texts from './shellTexts.ts';
import { Top } from './Top.tsx';

export const isFramed = window.self !== window.top;

/** A page of one matter, without the tabs. */
export function Alone({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <Top />
      <main class="alone">
        <h1 ref={heading} tabindex={-1}>
          {title}
        </h1>
        {children}
      </main>
    </>
  );
}

/** How a person gets a new session. */
export function Ways({ hasSession, isFirst = false }: { hasSession: boolean; isFirst?: boolean }) {
  const { renew_url, return_url } = remembered();
  const target = isFramed ? '_blank' : undefined;
  return (
    <>
      {renew_url === null && (
        <p>{isFirst ? texts.openFirst(productName()) : texts.openAgain(productName())}</p>
      )}
      <p class="actions">
        {renew_url !== null && (
          <a class="button primary" href={renew_url} target={target} rel="noopener">
            {isFirst ? texts.signInFirst : texts.signIn}
          </a>
        )}
        {return_url !== null && (
          <a class="button" href={return_url}>
            {texts.back(productName())}
          </a>
        )}
        {!hasSession && (
          <button type="button" onClick={() => findSession()}>
            {texts.otherTab}
          </button>
        )}
      </p>
    </>
  );
}
