import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { counted } from '../numbers.ts';
import { FormDialog } from '../parts/FormDialog.tsx';
import { LastUse } from '../parts/Time.tsx';
import { useSending } from '../sending.ts';
import { revoke } from './calls.ts';

interface Props {
  of: ConsoleKey;
  done: (key: ConsoleKey) => void;
  close: (changed: boolean) => void;
}

export function RevokeKey({ of, done, close }: Props) {
  const { progress, send } = useSending(`revoke ${of.id}`, () => revoke(of.id), done);
  return (
    <FormDialog
      title={`Revoke “${of.name}”?`}
      progress={progress}
      action="Revoke key"
      waiting="Revoking…"
      open="No answer came, so the key may have been revoked or not. “Try again” makes sure of it."
      danger
      submit={() => send({})}
      close={close}
    >
      <p>
        Requests with <code>{of.display}</code>
        {of.secrets.length > 1 && ' and with its older secrets'} are refused within seconds. This cannot be
        undone.
      </p>
      <p>
        Last used:{' '}
        <strong>
          <LastUse at={of.last_used_at} />
        </strong>
        , {of.requests_24h === 1 ? '1 request' : `${counted(of.requests_24h)} requests`} in the last 24 hours
      </p>
    </FormDialog>
  );
}
