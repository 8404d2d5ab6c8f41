import type { ComponentChildren } from 'preact';

interface Props {
  type?: 'checkbox' | 'radio';
  /** The name of the group of a radio button. */
  group?: string;
  checked: boolean;
  disabled?: boolean;
  change: (checked: boolean) => void;
  children: ComponentChildren;
}

/** A box to tick or to choose, with its words. */
export const Box = ({ type = 'checkbox', group, checked, disabled, change, children }: Props) => (
  <label class="choice">
    <input
      type={type}
      name={group}
      checked={checked}
      disabled={disabled}
      onChange={({ currentTarget }) => change(currentTarget.checked)}
    />
    <span>{children}</span>
  </label>
);
