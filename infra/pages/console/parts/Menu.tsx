import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Icon } from './Icon.tsx';
import * as texts from './partTexts.ts';
import { Sentence } from './Sentence.tsx';

export interface Choice {
  name: string;
  /** An effect, or an address. */
  choose: (() => void) | string;
  danger?: boolean;
}

interface Props {
  /** The name of what the actions are for. */
  of: ComponentChildren;
  choices: readonly Choice[];
  /** The button, when it is not the usual one. */
  children?: ComponentChildren;
}

/** A button that opens a list of actions of something with a name. Escape and a click elsewhere close it. */
export function Menu({ of, choices, children }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('a, button') ?? [])];
  // The arrows go through the list, and the first one opens it.
  const pressed = (event: KeyboardEvent) => {
    const at = items().indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    list.current?.showPopover();
    items()
      .at(next % items().length)
      ?.focus();
  };
  const chosen = (choose: () => void) => () => {
    // Closing first gives the focus back to the button, where a dialog then returns it to.
    list.current?.hidePopover();
    choose();
  };
  return (
    <>
      <button type="button" class={children ? 'who' : 'more'} popovertarget={id} onKeyDown={pressed}>
        {children ?? (
          <>
            <Icon name="more" />
            <span class="unseen">
              <Sentence of={texts.actionsFor} name={of} />
            </span>
          </>
        )}
      </button>
      <div ref={list} id={id} popover="auto" class="menu">
        <p>{of}</p>
        {choices.map(({ name, choose, danger }) =>
          typeof choose === 'string' ? (
            <a key={name} class="button" href={choose} onKeyDown={pressed}>
              {name}
            </a>
          ) : (
            <button
              key={name}
              type="button"
              class={danger ? 'bad' : ''}
              onClick={chosen(choose)}
              onKeyDown={pressed}
            >
              {name}
            </button>
          ),
        )}
      </div>
    </>
  );
}
