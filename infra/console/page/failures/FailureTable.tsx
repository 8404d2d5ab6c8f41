import type { FailedRequest } from '../../../../lib/contract/console/usage.ts';
import { Head } from '../parts/Head.tsx';
import { Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { liveSession } from '../sessionState.ts';
import { atMinute } from '../times.ts';
import { pageOf } from './reference.ts';
import { reasonOf } from './words.ts';

interface Props {
  shown: readonly FailedRequest[];
  nameOf: (keyId: string) => string;
}

/** Failed requests as a table; on a phone as cards. */
export const FailureTable = ({ shown, nameOf }: Props) => (
  <table class="cards">
    <caption class="unseen">Failed requests</caption>
    <Head of={['Request', 'Status', 'Why', 'Key', 'When']} />
    <tbody>
      {shown.map((one) => (
        <tr key={one.request_id}>
          <th scope="row">
            <code class="break">
              {one.method} {one.path}
            </code>
            <small>
              <code class="break">{one.request_id}</code>
            </small>
          </th>
          <td data-label="Status">
            <span class={`badge ${one.status >= 500 ? 'bad' : 'warn'}`}>{one.status}</span>
            <small>after {one.duration_ms} ms</small>
          </td>
          <td data-label="Why">
            <Why of={one} />
          </td>
          <td data-label="Key">
            <a href={hrefOf('keys', one.key_id)}>{nameOf(one.key_id)}</a>
          </td>
          <td data-label="When">
            <Time at={one.at} />
            <small>
              <Time at={one.at} how={atMinute} />
            </small>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** What was wrong: each problem with its field, which leads to its description; otherwise what the answer said. */
const Why = ({ of }: { of: FailedRequest }) =>
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
