import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { LastUse, Time } from '../parts/Time.tsx';

/** The secrets of a key: until when each works, and when it was last used. */
export const SecretTable = ({ secrets }: Pick<ConsoleKey, 'secrets'>) => (
  <table class="small">
    <caption class="unseen">Secrets</caption>
    <thead>
      <tr>
        <th scope="col">Secret</th>
        <th scope="col">Works until</th>
        <th scope="col">Last used</th>
      </tr>
    </thead>
    <tbody>
      {secrets.map(({ hint, expires_at, last_used_at }) => (
        <tr key={hint}>
          <td>
            <code>…{hint}</code>
          </td>
          <td>{expires_at === null ? 'it is rotated' : <Time at={expires_at} />}</td>
          <td>
            <LastUse at={last_used_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
