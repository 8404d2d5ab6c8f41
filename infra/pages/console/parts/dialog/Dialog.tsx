import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { holdAddress } from '../../addressHistory.ts';

interface Props {
  title: ComponentChildren;
  /** Called by Escape. */
  close: () => void;
  /** Whether Escape and Back must not close it. */
  locked?: boolean;
  children: ComponentChildren;
}

/** Where the focus goes when what had it is gone: to the heading of the view. */
function focusSomewhere(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** A modal dialog. The focus returns to where it was. */
export function Dialog({ title, close, locked = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current as HTMLDialogElement;
    element.showModal();
    return () => {
      element.close();
      setTimeout(focusSomewhere);
    };
  }, []);
  useEffect(() => (locked ? holdAddress() : undefined), [locked]);
  const cancelled = (event: Event) => {
    event.preventDefault();
    if (!locked) close();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      closedby={locked ? 'none' : 'closerequest'}
      onCancel={cancelled}
      // A browser lets nobody prevent the second Escape in a row, but for here.
      onKeyDown={(event) => event.key === 'Escape' && cancelled(event)}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
