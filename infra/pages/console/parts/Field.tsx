import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Described {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface Props {
  label: string;
  /** What is wrong and what to do. */
  problem?: string | undefined;
  note?: ComponentChildren;
  children: (described: Described) => ComponentChildren;
}

/** A labelled input with what is wrong with it. */
export function Field({ label, problem, note, children }: Props) {
  const id = useId();
  const said = `${id}-said`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': problem || note ? said : undefined,
        'aria-invalid': Boolean(problem),
      })}
      <div id={said}>
        {note && <p class="note">{note}</p>}
        <p class="problem" role="alert">
          {problem}
        </p>
      </div>
    </div>
  );
}
