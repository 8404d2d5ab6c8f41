import { useLayoutEffect, useRef } from 'preact/hooks';
import { productName } from '../brand.ts';
import type { Problem } from '../callProblem.ts';
import { lazy } from '../lazy.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Menu } from '../parts/Menu.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { toast } from '../parts/Toasts.tsx';
import { hrefOf, type Route } from '../route.ts';
import { signOut } from '../session.ts';
import { isOpen, liveSession } from '../sessionState.ts';
import { FindId } from './FindId.tsx';
import * as texts from './shellTexts.ts';
import { Top } from './Top.tsx';

interface Props {
  tab: Route['tab'] | undefined;
  /** Whether the keys were given their time. */
  isLater: boolean;
}

const failingDot = lazy(async () => (await import('../secondScript.ts')).FailingDot, true);

export function Header({ tab, isLater }: Props) {
  const { account, account_name, actor, role, return_url, reference_url } = liveSession();
  const who = (
    <Sentence of={texts.who} account={<bdi>{account_name ?? account}</bdi>} actor={<bdi>{actor.name}</bdi>} />
  );
  const end = () => void signOut().catch(({ message }: Problem) => toast(texts.stillSignedIn(message)));
  return (
    <>
      <Top>
        {role === 'viewer' && <span class="badge">{texts.readOnly}</span>}
        {reference_url !== null && (
          <a href={reference_url} target="_blank" rel="noopener">
            <Icon name="external" /> <span>{texts.documentation}</span>
          </a>
        )}
        <Menu
          of={who}
          choices={[
            ...(return_url === null ? [] : [{ name: texts.back(productName()), choose: return_url }]),
            { name: texts.signOut, choose: end },
          ]}
        >
          <Icon name="person" /> <span>{who}</span>
        </Menu>
      </Top>
      <div class="bar">
        <Tabs tab={tab} isLater={isLater} />
        {isOpen('webhooks') && <FindId key={tab} />}
      </div>
    </>
  );
}

/** The tabs, of which a narrow window shows some, and always the open one. */
export function Tabs({ tab, isLater }: Props) {
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [tab]);
  return (
    <nav class="tabs" aria-label={texts.integrations} ref={nav}>
      {texts.tabs
        .filter(([one]) => isOpen(one))
        .map(([one, name]) => (
          <a key={one} href={hrefOf(one)} aria-current={one === tab ? 'page' : undefined}>
            {name}
            {isLater && one === 'webhooks' && <failingDot.View />}
          </a>
        ))}
    </nav>
  );
}
