import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { Head } from '../parts/Head.tsx';
import { LastUse, Time } from '../parts/Time.tsx';
import { texts } from './dialogTexts.ts';

/** The secrets of a key: until when each works, and when it was last used. */
export const SecretTable = ({ secrets }: Pick<ConsoleKey, 'secrets'>) => (
  <table class="small">
    <caption class="unseen">{texts.details.secrets}</caption>
    <Head of={texts.secretColumns} />
    <tbody>
      {secrets.map(({ hint, expires_at, last_used_at }) => (
        <tr key={hint}>
          <td>
            <code>…{hint}</code>
          </td>
          <td>{expires_at === null ? texts.untilRotated : <Time at={expires_at} />}</td>
          <td>
            <LastUse at={last_used_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
