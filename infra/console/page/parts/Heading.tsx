import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

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
    document.title = `${title} · Integrations`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
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
