import type { FailedRequest } from '../../../../lib/contract/console/usage.ts';
import { liveSession } from '../sessionState.ts';
import { pageOf } from './reference.ts';
import { reasonOf } from './words.ts';

/** What was wrong: each problem with its field, which leads to its description; otherwise what the answer said. */
export const Why = ({ of }: { of: FailedRequest }) =>
  of.problems.length === 0 ? (
    <span>
      {reasonOf(of)}{' '}
      <InReference of={of} field={null}>
        {of.operation}
      </InReference>
    </span>
  ) : (
    <ul class="problems">
      {of.problems.map(({ field, message }, n) => (
        <li key={n}>
          {field !== null && (
            <InReference of={of} field={field}>
              {field}
            </InReference>
          )}{' '}
          {message}
        </li>
      ))}
    </ul>
  );

interface InReferenceProps {
  of: FailedRequest;
  field: string | null;
  children: string;
}

/** The name of a field or an operation, as a link when the page knows where the reference is. */
function InReference({ of, field, children }: InReferenceProps) {
  const { reference_url } = liveSession();
  if (reference_url === null) return <code>{children}</code>;
  return (
    <a href={new URL(pageOf(of, field), reference_url).href} target="_blank" rel="noopener">
      <code>{children}</code>
    </a>
  );
}
