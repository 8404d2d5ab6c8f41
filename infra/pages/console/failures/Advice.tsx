import type { FailedRequest } from '../../../../lib/contract/console/consoleUsage.ts';
import { hrefOf } from '../route.ts';
import { mayChange } from '../sessionState.ts';
import * as texts from './failureTexts.ts';

interface Props {
  of: Pick<FailedRequest, 'status' | 'missing_scope'>;
  /** The one key that has made the requests. */
  keyId: string | undefined;
}

/** What ends failures of a kind: for a key that lacks a scope, the way to its form with the scope ticked. */
export const Advice = ({ of: { status, missing_scope }, keyId }: Props) => {
  if (missing_scope === null) return <>{status >= 500 ? texts.sendAgain : texts.advice[status]}</>;
  if (keyId === undefined || !mayChange()) return <>{texts.needsScope(missing_scope)}</>;
  return (
    <a class="button" href={hrefOf('keys', keyId, { dialog: `edit ${keyId}`, scope: missing_scope })}>
      {texts.addScope(missing_scope)}
    </a>
  );
};
