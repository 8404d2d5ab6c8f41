import { faker } from '@faker-js/faker/locale/en';
import { fewAtOnce } from '../../../lib/concurrency.ts';
import { operations } from '../../../lib/contract/index.ts';
import { notFound } from '../../../lib/errors/apiError.ts';
import { allows } from '../../../lib/keys/access.ts';
import { issue, type Key, scopedTo } from '../../../lib/keys/key.ts';
import { listKeys, saveKey } from '../../../lib/keys/store.ts';
import { type Scope, scopes } from '../../../lib/resources/index.ts';
import { countBatch } from '../../../lib/usage/counting/countRequests.ts';
import type { AccessLine, FailureLine } from '../../../lib/usage/counting/lines.ts';
import { dayMs, dayOf, hourMs, secretName } from '../../../lib/usage/keys.ts';
import { summarizeKey } from '../../../lib/usage/summary/summarize.ts';
import { times } from './records/values.ts';

/** An app of the demo account: what its key may do, how it works, and who made the key. */
interface App {
  name: string;
  scopes: readonly Scope[];
  requests: number;
  worksAt: (hour: number) => boolean;
  endsInDays?: number;
  by: string;
}

const reading = scopes.filter((scope) => scope.endsWith(':read'));

const apps: readonly App[] = [
  {
    name: 'Shopify sync',
    scopes: scopes.filter((scope) => scope.startsWith('contacts:')),
    requests: 24,
    worksAt: (hour) => hour >= 7 && hour < 19,
    by: 'Mia Fischer',
  },
  { name: 'Looker', scopes: reading, requests: 60, worksAt: (hour) => hour === 4, by: 'Jonas Weber' },
  {
    name: 'Zapier',
    scopes: reading.slice(0, 1),
    requests: 3,
    worksAt: (hour) => hour % 6 === 0,
    endsInDays: 5,
    by: 'Mia Fischer',
  },
];

const days = 30;

const failures = 14;

/** Makes keys as people make them, thirty days of their requests, and the failures that people look for in the console. */
export async function seedUsage(account: string, now = Date.now()): Promise<void> {
  const known = new Set((await listKeys(account)).map(({ name }) => name));
  for (const app of apps) {
    if (known.has(app.name)) continue;
    const key = await issueFor(account, app, now);
    const access = requestsOf(app, key, now);
    const batch = { ids: [key.id], stream: key.id, access, refused: [], unreadable: 0 };
    await countBatch({ ...batch, failures: failuresOf(access) }, now + dayMs);
    // Usage over 30 days reads the daily sums, which the hourly function would make.
    const past = times(days + 1, (i) => dayOf(now - i * dayMs));
    await fewAtOnce(past, (day) => summarizeKey(day, account, key.id));
  }
}

async function issueFor(accountId: string, app: App, now: number): Promise<Key> {
  const draft = {
    accountId,
    name: app.name,
    access: scopedTo(app.scopes),
    ...(app.endsInDays ? { expiresAt: new Date(now + app.endsInDays * dayMs).toISOString() } : {}),
  };
  const { key } = issue(draft, 'test', new Date(now - (days + 1) * dayMs));
  return saveKey(key, undefined, { kind: 'user', id: app.by, name: app.by });
}

function requestsOf({ requests, worksAt }: App, key: Key, now: number): AccessLine[] {
  const routes = operations.filter(({ scope }) => scope !== null && allows(key.access, scope));
  const first = Math.floor(now / hourMs) * hourMs - days * dayMs;
  const hours = times(days * 24, (i) => first + i * hourMs).filter((at) =>
    worksAt(new Date(at).getUTCHours()),
  );
  return hours.flatMap((hour) =>
    times(faker.number.int({ min: Math.ceil(requests / 2), max: requests }), (): AccessLine => {
      return {
        ...routeOf(faker.helpers.arrayElement(routes)),
        ...{ account: key.accountId, key: key.id, status: 200 },
        at: hour + faker.number.int({ max: hourMs - 1 }),
        requestId: faker.string.uuid(),
        ms: faker.number.int({ min: 12, max: 180 }),
        secret: secretName(key.secrets[0]?.hash ?? ''),
      };
    }),
  );
}

/** Lets some requests fail, each in a way that its route can. @returns the functions' lines about them */
function failuresOf(access: AccessLine[]): FailureLine[] {
  const every = Math.floor(access.length / 2 / failures);
  return times(failures, (i) => {
    const line = access[access.length - 1 - i * every] as AccessLine;
    const isWrite = line.method === 'POST' || line.method === 'PATCH';
    line.status = isWrite ? 400 : line.path.endsWith('}') ? 404 : 429;
    const message = line.status === 404 ? notFound('record', '…').kept?.message : undefined;
    const problems = isWrite ? [{ field: 'email', message: 'must be an email address' }] : [];
    return { ...line, message: message ?? undefined, problems };
  });
}

const routeOf = ({ id, method, path }: (typeof operations)[number]) => ({ operation: id, method, path });
