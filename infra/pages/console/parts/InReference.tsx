import type { ComponentChildren } from 'preact';
import { liveSession } from '../sessionState.ts';

interface Props {
  page: string;
  /** True if the text is useless without the link. */
  isExtra?: boolean;
  children: ComponentChildren;
}

/** A link to a place in the reference; without a reference, only the text. */
export function InReference({ page, isExtra = false, children }: Props) {
  const { reference_url } = liveSession();
  if (reference_url === null) return isExtra ? null : children;
  return (
    <a href={new URL(page, reference_url).href} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
