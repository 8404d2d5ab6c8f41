import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { brand } from '../brand.ts';
import { restoreScroll } from '../scroll.ts';

interface Props {
  title: string;
  /** Is shown below the title. */
  about?: ComponentChildren;
  /** Buttons beside the title. */
  children?: ComponentChildren;
}

let isFirst = true;

/** The heading of a view. It takes the focus when the view changes, so that a screen reader reads it. */
export function Heading({ title, about, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = [title, 'Integrations', brand.name].filter(Boolean).join(' · ');
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  useLayoutEffect(restoreScroll, []);
  return (
    <div class="heading">
      <div>
        <h1 ref={heading} tabindex={-1}>
          {title}
        </h1>
        {about && <p class="quiet">{about}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </div>
  );
}
