import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../call.ts';
import { toast } from '../parts/Toasts.tsx';
import { hrefOf, type Route } from '../route.ts';
import { signOut } from '../session.ts';
import { isOpen, liveSession } from '../sessionState.ts';
import { brand, productName } from './brand.ts';
import * as texts from './texts.ts';

export function Header({ tab }: { tab: Route['tab'] | undefined }) {
  const { account, account_name, actor, role, return_url, reference_url } = liveSession();
  return (
    <>
      <header class="top">
        <p class="crumbs">
          {brand.logo && <img src={brand.logo} alt="" />}
          {brand.name && (
            <>
              <strong>{brand.name}</strong> <span aria-hidden="true">/</span>{' '}
            </>
          )}
          <span>{texts.settings}</span> <span aria-hidden="true">/</span>{' '}
          <strong>{texts.integrations}</strong>
        </p>
        <p class="who">
          <bdi>{account_name ?? account}</bdi> · <bdi>{actor.name}</bdi>
          {role === 'viewer' && <span class="badge">{texts.readOnly}</span>}
        </p>
        {reference_url !== null && (
          <a href={reference_url} target="_blank" rel="noopener">
            {texts.documentation}
          </a>
        )}
        {return_url !== null && <a href={return_url}>{texts.back(productName())}</a>}
        <SignOut />
      </header>
      <Tabs tab={tab} />
    </>
  );
}

/** The tabs, of which a narrow window shows some: the one that is shown, and at each end whether there are more. */
function Tabs({ tab }: { tab: Route['tab'] | undefined }) {
  const nav = useRef<HTMLElement>(null);
  const mark = () => {
    const { scrollLeft, scrollWidth, clientWidth, classList } = nav.current as HTMLElement;
    classList.toggle('before', scrollLeft > 1);
    classList.toggle('after', scrollLeft + clientWidth < scrollWidth - 1);
  };
  useLayoutEffect(() => {
    const { children, clientWidth } = nav.current as HTMLElement;
    const shown = [...children].find((one) => one.ariaCurrent) as HTMLElement | undefined;
    // In the middle, so that the ones beside it are seen, too.
    if (shown)
      (nav.current as HTMLElement).scrollLeft = shown.offsetLeft + shown.offsetWidth / 2 - clientWidth / 2;
    mark();
    const observer = new ResizeObserver(mark);
    observer.observe(nav.current as HTMLElement);
    return () => observer.disconnect();
  }, [tab]);
  return (
    <nav class="tabs" aria-label={texts.integrations} ref={nav} onScroll={mark}>
      {texts.tabs
        .filter(([one]) => isOpen(one))
        .map(([one, name]) => (
          <a key={one} href={hrefOf(one)} aria-current={one === tab ? 'page' : undefined}>
            {name}
          </a>
        ))}
    </nav>
  );
}

function SignOut() {
  const [isPending, setPending] = useState(false);
  const clicked = () => {
    setPending(true);
    signOut().catch((problem: Problem) => {
      setPending(false);
      toast(texts.stillSignedIn(problem.message));
    });
  };
  return (
    <button type="button" class="link" onClick={clicked} disabled={isPending}>
      {isPending ? texts.signingOut : texts.signOut}
    </button>
  );
}
