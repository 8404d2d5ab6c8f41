import { useState } from 'preact/hooks';
import { Icon } from './Icon.tsx';
import * as texts from './partTexts.ts';

/** Copies a text that stands beside it, such as an id. @param name what it is called, when it is long */
export function CopyButton({ text, name = text }: { text: string; name?: string }) {
  const [said, say] = useState('');
  const clicked = () =>
    navigator.clipboard.writeText(text).then(
      () => say(texts.copied),
      () => say(texts.copyByHand),
    );
  return (
    <>
      <button type="button" class="copy" onClick={clicked}>
        <Icon name={said === texts.copied ? 'check' : 'copy'} /> {said || texts.copy}
        <span class="unseen"> {name}</span>
      </button>
      <span role="status" class="unseen">
        {said}
      </span>
    </>
  );
}
