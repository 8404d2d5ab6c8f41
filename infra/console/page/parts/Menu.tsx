import { useId, useRef } from 'preact/hooks';

export interface Choice {
  name: string;
  choose: () => void;
  danger?: boolean;
}

/** A button that opens a list of actions. Escape and a click elsewhere close it. */
export function Menu({ label, choices }: { label: string; choices: readonly Choice[] }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = (choose: () => void) => () => {
    // Closing first gives the focus back to the button, where a dialog then returns it to.
    list.current?.hidePopover();
    choose();
  };
  return (
    <>
      <button type="button" class="more" aria-label={label} popovertarget={id}>
        <span aria-hidden="true">⋯</span>
      </button>
      <div ref={list} id={id} popover="auto" class="menu">
        {choices.map(({ name, choose, danger }) => (
          <button key={name} type="button" class={danger ? 'bad' : ''} onClick={chosen(choose)}>
            {name}
          </button>
        ))}
      </div>
    </>
  );
}
