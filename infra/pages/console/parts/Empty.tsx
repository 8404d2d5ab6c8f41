import type { ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';
import { InReference } from './InReference.tsx';
import * as texts from './partTexts.ts';

interface Props {
  title?: string;
  about: ComponentChildren;
  /** A page of the reference, and what the link to it says. */
  guide?: readonly [page: string, words: string];
  /** The address of the list without filters. */
  all?: string;
  /** Buttons. */
  children?: ComponentChildren;
}

/** A list without anything in it: why, and what to do. */
export const Empty = ({ title, about, guide, all, children }: Props) => (
  <div class="empty">
    <Icon name="empty" />
    {title && <h2>{title}</h2>}
    <p>{about}</p>
    {children}
    {all && (
      <a class="button" href={all}>
        {texts.clearFilters}
      </a>
    )}
    {guide && (
      <InReference page={guide[0]} isExtra>
        {guide[1]}
      </InReference>
    )}
  </div>
);
