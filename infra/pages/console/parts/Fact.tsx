import type { ComponentChildren } from 'preact';

/** A fact of a list of facts: what it is called, and what it is. */
export const Fact = ({ label, children }: { label: ComponentChildren; children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
