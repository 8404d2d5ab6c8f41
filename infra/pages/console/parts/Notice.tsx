import type { ComponentChildren } from 'preact';

/** A paragraph that wants to be read before others. */
export const Notice = ({
  tone,
  children,
}: {
  tone: 'info' | 'warn' | 'bad';
  children: ComponentChildren;
}) => <div class={`notice ${tone}`}>{children}</div>;
