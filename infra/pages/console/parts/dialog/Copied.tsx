import { useRef, useState } from 'preact/hooks';
import { Icon } from '../Icon.tsx';
import * as texts from '../partTexts.ts';

interface Props {
  label: string;
  text: string;
  onCopied?: () => void;
  primary?: boolean;
}

/** Without the right to the clipboard, as in a frame, the old way still works after a click. */
async function copy(field: HTMLTextAreaElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand('copy');
  }
}

/** A text to copy, by its button or by hand. */
export function Copied({ label, text, onCopied, primary }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [said, say] = useState('');
  const done = () => {
    say(texts.copied);
    onCopied?.();
  };
  const clicked = async () => {
    if (await copy(field.current as HTMLTextAreaElement)) done();
    else say(texts.copyNotAllowed);
  };
  return (
    <div class="copied">
      <label>
        <span class="label">{label}</span>
        <textarea
          ref={field}
          readOnly
          rows={Math.ceil(text.length / 64)}
          value={text}
          // Browsers keep the fields of a page on disk, for its restoration.
          autocomplete="off"
          spellcheck={false}
          onCopy={done}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      <button type="button" class={primary ? 'primary' : ''} onClick={clicked}>
        <Icon name={said === texts.copied ? 'check' : 'copy'} />
        {said === texts.copied ? texts.copied : texts.copy}
        <span class="unseen"> {label}</span>
      </button>
      <p role="status" class={said === texts.copied ? 'unseen' : 'problem'}>
        {said}
      </p>
    </div>
  );
}
