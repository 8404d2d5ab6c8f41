import { useState } from 'preact/hooks';
import { TextField } from '../Field.tsx';
import * as texts from '../partTexts.ts';
import { Sentence } from '../Sentence.tsx';

/** A name that a person types before something is done that harms programs. */
export function useConfirmed(name: string): { isRight: boolean; complain: () => void; field: preact.VNode } {
  const [typed, type] = useState('');
  const [problem, say] = useState<string>();
  return {
    isRight: typed.trim() === name.trim(),
    complain: () => say(texts.notConfirmed(name)),
    field: (
      <TextField
        label={<Sentence of={texts.confirm} name={<bdi translate={false}>{name}</bdi>} />}
        problem={problem}
        value={typed}
        autocomplete="off"
        dir="auto"
        change={type}
      />
    ),
  };
}
