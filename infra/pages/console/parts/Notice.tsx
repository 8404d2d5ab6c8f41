import type { ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';

/** A paragraph that wants to be read before others. */
export const Notice = ({
  tone,
  children,
}: {
  tone: 'info' | 'warn' | 'bad';
  children: ComponentChildren;
}) => (
  <div class={`notice ${tone}`}>
    {tone !== 'info' && <Icon name="warning" />}
    <div>{children}</div>
  </div>
);
