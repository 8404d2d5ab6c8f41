import { faker } from '@faker-js/faker/locale/en';
import { fewAtOnce } from '../../../lib/concurrency.ts';
import { operations } from '../../../lib/contract/index.ts';
import { forbidden, notFound, preconditionFailed } from '../../../lib/errors/apiError.ts';
import { allows, secretName } from '../../../lib/keys/access.ts';
import { type ApiKey, issue, scopedTo } from '../../../lib/keys/key.ts';
import { readKeysOf, saveKey } from '../../../lib/keys/storedKeys.ts';
import { scopes } from '../../../lib/resources/index.ts';
import { countBatch } from '../../../lib/usage/counting/countRequests.ts';
import type { AccessLine, FailureLine } from '../../../lib/usage/counting/logLines.ts';
import { summarizeKey } from '../../../lib/usage/summary/summarize.ts';
import { dayMs, dayOf, hourMs } from '../../../lib/usage/usageKeys.ts';
import { times } from './records/demoValues.ts';

type Operation = (typeof operations)[number];

const routeOf = ({ id, method, path }: Operation) => ({ operation: id, method, path });
const routeTo = (id: Operation['id']) => routeOf(operations.find((one) => one.id === id) as Operation);

/** The ways in which requests fail, by status. */
const failures = {
  400: {
    route: routeTo('createContact'),
    problems: [{ field: 'email', message: 'must be an e-mail address' }],
  },
  403: {
    route: routeTo('createContact'),
    message: forbidden('contacts:write').kept?.message ?? undefined,
    missingScope: 'contacts:write',
  },
  404: { route: routeTo('getContact'), message: notFound('contact', '…').kept?.message ?? undefined },
  412: { route: routeTo('updateContact'), message: preconditionFailed('').kept?.message ?? undefined },
  429: { route: routeTo('listContacts') },
};

const reading = scopes.filter((scope) => scope.endsWith(':read'));

/** The apps of the demo account: what each key may do, how it works and fails, and who created the key. */
const apps = [
  {
    name: 'Shopify sync',
    scopes: scopes.filter((scope) => scope.startsWith('contacts:')),
    requests: 24,
    worksAt: (hour: number) => hour >= 7 && hour < 19,
    fails: [400, 400, 404, 412],
    by: 'Mia Fischer',
  },
  {
    name: 'Looker',
    scopes: reading,
    requests: 60,
    worksAt: (hour: number) => hour === 4,
    fails: [429],
    by: 'Jonas Weber',
  },
  {
    name: 'Zapier',
    scopes: reading.slice(0, 1),
    requests: 3,
    worksAt: (hour: number) => hour % 6 === 0,
    endsInDays: 5,
    fails: [403],
    by: 'Mia Fischer',
  },
];
type App = (typeof apps)[number];

const days = 30;

/** Creates keys as people would, thirty days of their requests, and the failures that people look for in the console. */
export async function seedUsage(account: string, now = Date.now()): Promise<void> {
  const known = new Set((await readKeysOf(account)).map(({ name }) => name));
  for (const app of apps) {
    if (known.has(app.name)) continue;
    const key = await issueFor(account, app, now);
    const access = requestsOf(app, key, now);
    const batch = { ids: [key.id], stream: key.id, access, refused: [], unreadable: 0 };
    await countBatch({ ...batch, failures: failuresOf(app, access) }, now + dayMs);
    // Usage over 30 days reads the daily totals, which the hourly function would otherwise create.
    const past = times(days + 1, (i) => dayOf(now - i * dayMs));
    await fewAtOnce(past, (day) => summarizeKey(day, account, key.id));
  }
}

async function issueFor(accountId: string, app: App, now: number): Promise<ApiKey> {
  const draft = {
    accountId,
    name: app.name,
    access: scopedTo(app.scopes),
    ...(app.endsInDays ? { expiresAt: new Date(now + app.endsInDays * dayMs).toISOString() } : {}),
  };
  const { key } = issue(draft, 'test', new Date(now - (days + 1) * dayMs));
  return saveKey(key, undefined, { kind: 'user', id: app.by, name: app.by });
}

function requestsOf({ requests, worksAt }: App, key: ApiKey, now: number): AccessLine[] {
  const routes = operations.filter(({ scope }) => scope !== null && allows(key.access, scope));
  const first = Math.floor(now / hourMs) * hourMs - days * dayMs;
  const hours = times(days * 24, (i) => first + i * hourMs).filter((at) =>
    worksAt(new Date(at).getUTCHours()),
  );
  return hours.flatMap((hour) =>
    times(faker.number.int({ min: Math.ceil(requests / 2), max: requests }), () => ({
      ...routeOf(faker.helpers.arrayElement(routes)),
      ...{ account: key.accountId, key: key.id, status: 200 },
      at: hour + faker.number.int({ max: hourMs - 1 }),
      requestId: faker.string.uuid(),
      ms: faker.number.int({ min: 12, max: 180 }),
      secret: secretName(key.secrets[0]?.hash ?? ''),
    })),
  );
}

/** Makes some requests fail, in the ways of the app. @returns the functions' log lines about them */
function failuresOf({ fails }: App, access: AccessLine[]): FailureLine[] {
  const every = Math.floor(access.length / 2 / 14);
  return times(14, (i) => {
    const status = fails[i % fails.length] as keyof typeof failures;
    const { route, ...reason } = failures[status];
    const line = Object.assign(access[access.length - 1 - i * every] as AccessLine, route, { status });
    return { message: undefined, problems: [], ...line, ...reason };
  });
}
