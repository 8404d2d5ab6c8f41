import { type ComponentChildren, createContext, type InputHTMLAttributes } from 'preact';
import { useContext, useId } from 'preact/hooks';

interface Described {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface Props {
  label: ComponentChildren;
  /** The field of the request that it fills, for what the server says of it. */
  name?: string | undefined;
  /** Says what is wrong and what to do. */
  problem?: string | undefined;
  note?: ComponentChildren;
  children: (described: Described) => ComponentChildren;
}

/** Finds the server's problem with a field of the request. */
export const RefusedField = createContext((_name: string): string | undefined => undefined);

/** A labelled input with what is wrong with it. */
export function Field({ label, name, problem: own, note, children }: Props) {
  const refused = useContext(RefusedField);
  const problem = own ?? (name && refused(name));
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

interface TextProps
  extends Omit<Props, 'children'>,
    Pick<InputHTMLAttributes, 'inputMode' | 'placeholder' | 'maxLength' | 'autocomplete' | 'dir'> {
  type?: 'search' | 'url' | 'date';
  value: string;
  change: (text: string) => void;
}

/** A labelled line of text. */
export const TextField = ({ label, name, problem, note, type, change, ...input }: TextProps) => (
  <Field label={label} name={name} problem={problem} note={note}>
    {(described) => (
      // The types of Preact know one type of input at a time.
      <input
        {...input}
        {...described}
        type={type as 'text'}
        onInput={(event) => change(event.currentTarget.value)}
      />
    )}
  </Field>
);
