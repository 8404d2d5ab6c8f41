import { useState } from 'preact/hooks';
import type { Problem } from '../callProblem.ts';
import * as texts from './partTexts.ts';

/** Reads the next page of a list. */
export function OlderButton({ read }: { read: () => Promise<void> }) {
  const [said, say] = useState('');
  const [isReading, setReading] = useState(false);
  const clicked = () => {
    setReading(true);
    say('');
    read()
      .catch((problem: Problem) => say(problem.message))
      .finally(() => setReading(false));
  };
  return (
    <p class="older">
      <button type="button" onClick={clicked} disabled={isReading}>
        {isReading ? texts.loading() : texts.showOlder}
      </button>
      <span role="status" class="problem">
        {said}
      </span>
    </p>
  );
}
