import type verifiers from 'console:verifiers';
import { useState } from 'preact/hooks';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Segments } from '../parts/Segments.tsx';
import * as texts from './texts.ts';

/** The code that verifies an event, in the languages of the reference. */
export function Verify({ of }: { of: typeof verifiers }) {
  const [chosen, choose] = useState('Node.js');
  const names = Object.fromEntries(of.map(({ language }) => [language, language]));
  const code = of.find(({ language }) => language === chosen)?.code ?? '';
  return (
    <>
      <Segments legend={texts.secretLanguage} words={names} chosen={chosen} choose={choose} />
      <pre class="whole">{code}</pre>
      <CopyButton text={code} name="" />
    </>
  );
}
