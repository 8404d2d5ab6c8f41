import type { ComponentChildren } from 'preact';
import { liveSession } from '../sessionState.ts';

/** A link to a place in the reference; without a reference, only the text. */
export function InReference({ page, children }: { page: string; children: ComponentChildren }) {
  const { reference_url } = liveSession();
  if (reference_url === null) return <>{children}</>;
  return (
    <a href={new URL(page, reference_url).href} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
