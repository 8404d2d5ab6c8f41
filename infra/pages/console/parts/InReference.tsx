import type { ComponentChildren } from 'preact';
import { liveSession } from '../sessionState.ts';

/** What the reference describes, as a link to its place there when the console knows where the reference is. */
export function InReference({ page, children }: { page: string; children: ComponentChildren }) {
  const { reference_url } = liveSession();
  if (reference_url === null) return <>{children}</>;
  return (
    <a href={new URL(page, reference_url).href} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
