import type { Progress } from '../sending.ts';
import * as texts from './partTexts.ts';

/** Why the request of a button was no success. */
export const Outcome = ({ of }: { of: Progress }) => (
  <span role="status" class="problem">
    {of.kind === 'refused' && of.problem.message}
    {of.kind === 'open' && texts.noAnswer}
  </span>
);
