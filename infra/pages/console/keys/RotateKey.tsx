import type { ConsoleKey, KeyWithSecret } from '../../../../lib/contract/console/consoleKeys.ts';
import type { FormOf } from '../parts/dialog/FormDialog.tsx';
import { RotateDialog } from '../parts/dialog/RotateDialog.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { rotate } from './keyCalls.ts';
import * as texts from './keyTexts.ts';
import { SecretTable } from './SecretTable.tsx';

const weekSeconds = 7 * 24 * 3600;

export const RotateKey = ({ of, done, close }: FormOf<ConsoleKey, KeyWithSecret>) => (
  <RotateDialog
    form={`rotate ${of.id}`}
    title={<Sentence of={texts.rotateTitle} name={<bdi>{of.name}</bdi>} />}
    action={texts.rotateAction}
    waiting={texts.rotateWaiting}
    about={texts.rotateAbout}
    preset={weekSeconds}
    rotate={(seconds, once) => rotate(of.id, seconds, once)}
    done={done}
    close={close}
  >
    <SecretTable of={of} />
  </RotateDialog>
);
