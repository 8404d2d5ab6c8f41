import type { KeyWithSecret } from '../../../../lib/contract/console/consoleKeys.ts';
import { Copied } from '../parts/dialog/Copied.tsx';
import { FormDialog } from '../parts/dialog/FormDialog.tsx';
import { SecretDialog } from '../parts/dialog/SecretDialog.tsx';
import { useSending } from '../sending.ts';
import { liveSession } from '../sessionState.ts';
import { rotate } from './keyCalls.ts';
import * as texts from './keyTexts.ts';
import { curlOf } from './scopes.ts';

interface Props {
  answer: KeyWithSecret;
  /** Gets the answer with the secret of a rotation that followed a lost one. */
  done: (answer: KeyWithSecret) => void;
  close: () => void;
}

/** The new secret of a key, or the way to another one when the answer that had it was lost. */
export function NewSecret({ answer: { key, secret }, done, close }: Props) {
  if (secret === null) return <LostSecret id={key.id} name={key.name} done={done} close={close} />;
  return (
    <SecretDialog title={texts.secretCopy(key.name)} label={texts.detailsKey} secret={secret} close={close}>
      <Copied label={texts.secretTrial} text={curlOf(liveSession().api_url, key, secret)} />
    </SecretDialog>
  );
}

function LostSecret({ id, name, done, close }: { id: string; name: string } & Omit<Props, 'answer'>) {
  const { progress, send } = useSending(
    `lost ${id}`,
    (seconds: number, once) => rotate(id, seconds, once),
    done,
  );
  return (
    <FormDialog
      title={texts.secretLost(name)}
      progress={progress}
      action={texts.secretAction}
      waiting={texts.rotateWaiting}
      // The lost secret has never reached anybody, so nothing stops when it ends.
      submit={() => send(0)}
      close={close}
    >
      <p>{texts.secretLostAbout}</p>
    </FormDialog>
  );
}
