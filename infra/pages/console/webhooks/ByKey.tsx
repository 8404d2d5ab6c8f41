import { KeyName } from '../parts/KeyName.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import * as texts from './webhookTexts.ts';

/** The key that has made or changed a subscription; `null` is this page. */
export const ByKey = ({ id }: { id: string | null }) =>
  id === null ? <span>{texts.inThisPage}</span> : <Sentence of={texts.byKey} name={<KeyName id={id} />} />;
