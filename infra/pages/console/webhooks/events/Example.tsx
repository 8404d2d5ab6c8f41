import type { EventExample } from 'console:events';
import { useState } from 'preact/hooks';
import { lazy } from '../../lazy.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';
import * as texts from '../texts.ts';

interface Props {
  type: string;
  payload: 'full' | 'thin';
}

const shown = lazy(async () => {
  const { default: examples } = await import('console:events');
  return ({ type, payload }: Props) => <Shown of={examples[type] as EventExample} payload={payload} />;
});

function Shown({ of, payload }: { of: EventExample; payload: Props['payload'] }) {
  const text = JSON.stringify(of[payload], null, 2);
  return (
    <>
      <p class="note">{of.what}.</p>
      <pre class="whole">{text}</pre>
      <CopyButton text={text} name="" />
    </>
  );
}

/** An example of an event, as the contract has it. It is fetched when a person opens it. */
export function Example({ type, payload }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="example" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary aria-label={texts.exampleOf(type)}>{texts.exampleShow}</summary>
      {isOpen && <shown.View type={type} payload={payload} />}
    </details>
  );
}
