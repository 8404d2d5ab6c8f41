import type { FailedRequest } from '../../../../lib/contract/console/consoleUsage.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { KeyName } from '../parts/KeyName.tsx';
import { useOpened } from '../parts/openLine.tsx';
import { Cell, Table } from '../parts/Table.tsx';
import { Time } from '../parts/Time.tsx';
import { exactly } from '../shownTimes.ts';
import { Advice } from './Advice.tsx';
import * as texts from './failureTexts.ts';
import { reasonInBrief } from './failureWords.ts';
import { Why } from './Why.tsx';

interface Props {
  shown: readonly FailedRequest[];
}

/** Failed requests, a line for each, with the details of one below its line. On a phone they are cards. */
export const FailureTable = ({ shown }: Props) => (
  <Table class="cards lines" caption={texts.caption.requests} columns={texts.columnsRequests}>
    {shown.map((one) => (
      <Request key={one.request_id} of={one} />
    ))}
  </Table>
);

function Request({ of }: { of: FailedRequest }) {
  const { isOpen, line, toggle } = useOpened(of.request_id);
  return (
    <>
      <tr ref={line}>
        <th scope="row">
          <button type="button" class="disclose" aria-expanded={isOpen} onClick={toggle}>
            <code>
              {of.method} {of.path}
            </code>
          </button>
        </th>
        <Cell of={texts.columnsRequests[1]} class="bare">
          <Status of={of} />
        </Cell>
        <Cell of={texts.columnsRequests[2]} class="brief bare">
          <span title={reasonInBrief(of)}>{reasonInBrief(of)}</span>
        </Cell>
        <Cell of={texts.columnsRequests[3]}>
          <KeyName id={of.key_id} />
        </Cell>
        <Cell of={texts.columnsRequests[4]}>
          <Time at={of.at} />
        </Cell>
      </tr>
      {isOpen && (
        <tr class="details">
          <td colSpan={5}>
            <dl>
              <dt>{texts.details.why}</dt>
              <dd>
                <Why of={of} /> <Advice of={of} keyId={of.key_id} />
              </dd>
              <dt>{texts.details.id}</dt>
              <dd>
                <code class="break">{of.request_id}</code> <CopyButton text={of.request_id} />
              </dd>
              <dt>{texts.details.when}</dt>
              <dd>{exactly(of.at)}</dd>
              <dt>{texts.details.took}</dt>
              <dd>{texts.milliseconds(of.duration_ms)}</dd>
            </dl>
          </td>
        </tr>
      )}
    </>
  );
}

/** The requests of one reason, which stands above them. */
export const RequestsOfGroup = ({ shown }: Props) => (
  <Table class="cards" caption={texts.caption.requests} columns={texts.columnsOfGroup}>
    {shown.map(({ request_id, at, key_id, duration_ms }) => (
      <tr key={request_id}>
        <th scope="row">
          <Time at={at} how={exactly} />
        </th>
        <Cell of={texts.columnsOfGroup[1]}>
          <code class="break">{request_id}</code> <CopyButton text={request_id} />
        </Cell>
        <Cell of={texts.columnsOfGroup[2]}>
          <KeyName id={key_id} />
        </Cell>
        <Cell of={texts.columnsOfGroup[3]}>{texts.milliseconds(duration_ms)}</Cell>
      </tr>
    ))}
  </Table>
);

export const Status = ({ of: { status } }: { of: Pick<FailedRequest, 'status'> }) => (
  <span class={`badge ${status >= 500 ? 'bad' : 'warn'}`}>{status}</span>
);
