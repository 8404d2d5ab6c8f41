import type { FailedRequest } from '../../../../lib/contract/console/consoleUsage.ts';
import { InReference } from '../parts/InReference.tsx';
import { reasonOf } from './failureWords.ts';
import { pageOf } from './referencePage.ts';

/** Each problem with its field, which leads to its description; otherwise the answer's message. */
export const Why = ({ of }: { of: FailedRequest }) =>
  of.problems.length === 0 ? (
    <span>
      {reasonOf(of)}{' '}
      <InReference page={pageOf(of, null)}>
        <code>
          {of.method} {of.path}
        </code>
      </InReference>
    </span>
  ) : (
    <ul class="problems">
      {of.problems.map(({ field, message }, n) => (
        <li key={n}>
          {field !== null && (
            <InReference page={pageOf(of, field)}>
              <code>{field}</code>
            </InReference>
          )}{' '}
          {message}
        </li>
      ))}
    </ul>
  );
