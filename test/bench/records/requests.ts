import { listRecords } from '../../../lib/records/list.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import type { StackProcess } from '../../support/stack/stackProcess.ts';
import { type Client, openClient } from '../load/httpClient.ts';
import { contactAt, givenManyContacts } from '../load/manyContacts.ts';
import { type Report, rounded } from '../report/report.ts';
import { quantile, timed } from '../report/statistics.ts';

const connectionCounts = [1, 16];
const warmUpMs = 1000;
const measuredMs = 5000;

/** How many requests a second the local stack answers: gateway, authorizer, Lambda and database on this one machine. */
export async function requests({ ready }: StackProcess): Promise<Report> {
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  await givenManyContacts(account, 1000);
  const [contact] = (await listRecords(contacts, account, { limit: 1, offset: 500 })).data;
  // Creates go to an account of their own: they would make the list a different one.
  const { text: creatorKey } = await givenKey(givenAccount());
  const { external_id: _, ...body } = contactAt(0);
  const kinds: { name: string; key: string; send: (client: Client) => Promise<void> }[] = [
    { name: 'list of 25', key, send: (client) => client.send('GET', '/contacts?offset=500') },
    { name: 'get', key, send: (client) => client.send('GET', `/contacts/${contact?.id}`) },
    { name: 'create', key: creatorKey, send: (client) => client.send('POST', '/contacts', body) },
  ];
  const raw = [];
  for (const { name, key, send } of kinds)
    for (const connections of connectionCounts) {
      const client = openClient(ready.url, key, connections);
      await drive(connections, warmUpMs, () => send(client));
      raw.push({ name, connections, ...(await drive(connections, measuredMs, () => send(client))) });
      client.close();
    }
  return {
    title: 'Requests through the local stack',
    columns: ['Request', 'Connections', 'Per second', 'p50 ms', 'p99 ms', 'Failed'],
    rows: raw.map(({ name, connections, perSecond, p50, p99, failures }) => [
      name,
      connections,
      rounded(perSecond),
      rounded(p50),
      rounded(p99),
      failures,
    ]),
    raw,
  };
}

/** Sends one request after the other on each connection, for a while. */
export async function drive(connections: number, forMs: number, send: () => Promise<void>) {
  const times: number[] = [];
  let failures = 0;
  const end = performance.now() + forMs;
  const connection = async () => {
    while (performance.now() < end) {
      const { ms, result } = await timed(() =>
        send().then(
          () => true,
          () => false,
        ),
      );
      if (result) times.push(ms);
      else failures += 1;
    }
  };
  const { ms } = await timed(() => Promise.all(Array.from({ length: connections }, connection)));
  return {
    perSecond: (1000 * times.length) / ms,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failures,
  };
}
