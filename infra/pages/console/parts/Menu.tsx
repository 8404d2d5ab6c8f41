import { useId, useRef } from 'preact/hooks';
import * as texts from './texts.ts';

export interface Choice {
  name: string;
  choose: () => void;
  danger?: boolean;
}

/** A button that opens a list of actions of something with a name. Escape and a click elsewhere close it. */
export function Menu({ of, choices }: { of: string; choices: readonly Choice[] }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = (choose: () => void) => () => {
    // Closing first gives the focus back to the button, where a dialog then returns it to.
    list.current?.hidePopover();
    choose();
  };
  return (
    <>
      <button type="button" class="more" aria-label={texts.actionsFor(of)} popovertarget={id}>
        <span aria-hidden="true">⋯</span>
      </button>
      <div ref={list} id={id} popover="auto" class="menu">
        <p>
          <bdi>{of}</bdi>
        </p>
        {choices.map(({ name, choose, danger }) => (
          <button key={name} type="button" class={danger ? 'bad' : ''} onClick={chosen(choose)}>
            {name}
          </button>
        ))}
      </div>
    </>
  );
}
