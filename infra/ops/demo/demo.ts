import { type CreatedLink, createLink } from '../../../lib/console/consoleLinks.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { type Access, grantOf } from '../../../lib/keys/access.ts';
import { issue, scopedTo } from '../../../lib/keys/key.ts';
import { findSecret, saveKey } from '../../../lib/keys/storedKeys.ts';
import { type Scope, scopes } from '../../../lib/resources/index.ts';
import { demoFileIn, readJson, writeJson } from '../../local/process/stackFile.ts';
import { noProgress } from '../../terminal/progress.ts';
import { connect } from '../connection.ts';

/** The demo account of a local stack. The data directory stores its keys, because a key cannot be read back. */
export interface Demo {
  account: string;
  keys: Record<KeyName, string>;
}

type KeyName = 'full' | Scope;

const account = 'demo';

/** The request handler in Node, which has more methods than the client's type says. */
interface Adjustable {
  updateHttpClientConfig(name: 'requestTimeout', ms: number): void;
}

/** The time limit of a request that creates the demo data. */
const startMs = 60_000;

/** The age of its keys when they are created, so that the keys of its apps, which are newer, are listed first. */
const ageMs = 60 * 24 * 3_600_000;
const names: readonly KeyName[] = ['full', ...scopes];

/**
 * Returns the demo account of a data directory. The first start creates it. Later starts keep what people have changed, and replace only keys
 * that no longer work, so that there is always a working key with full access.
 */
export async function openDemo(folder: string, report = noProgress): Promise<Demo> {
  await connect({ data: folder });
  // The usual time limit of requests is too short while a busy machine starts the stack. Nobody waits for these requests.
  (dynamodb().config.requestHandler as unknown as Adjustable).updateHttpClientConfig(
    'requestTimeout',
    startMs,
  );
  const file = demoFileIn(folder);
  const kept = readJson<Partial<Demo>>(file)?.keys;
  const found = await Promise.all(names.map((name) => find(kept?.[name])));
  // Keys are issued after everything else is stored. So if the database knows any of the keys, valid or not, all the data exists.
  const isNew = !found.some(({ known }) => known);
  if (isNew) await report('Creating the demo data', seedAll);
  const keys = await Promise.all(
    names.map(async (name, i) => [name, found[i]?.live ?? (await issueKey(name))] as const),
  );
  const demo: Demo = { account, keys: Object.fromEntries(keys) as Demo['keys'] };
  if (found.some(({ live }) => live === undefined)) writeJson(file, demo);
  return demo;
}

/** Creates a link to the console of the demo account. It works for a minute, so each start creates one. */
export async function demoLink(folder: string): Promise<CreatedLink> {
  const connection = await connect({ data: folder });
  await connection.useConsole();
  const actor = { id: 'demo', name: 'Demo Admin' };
  const operator = await connection.operator();
  return createLink({ account, account_name: 'Demo account', actor, role: 'admin' }, { operator });
}

/** Returns whether the database knows a stored key, and the key itself if it is still valid. */
async function find(key: string | undefined): Promise<{ known: boolean; live?: string }> {
  const item = key === undefined ? undefined : await findSecret(key);
  if (key === undefined || !item) return { known: false };
  return grantOf(item, new Date()) ? { known: true, live: key } : { known: true };
}

/** Only this function imports the code that creates the data, because it is slow to load. */
async function seedAll(): Promise<void> {
  const [{ seed }, { seedWebhooks }, { seedUsage }] = await Promise.all([
    import('./demoRecords.ts'),
    import('./demoWebhooks.ts'),
    import('./demoUsage.ts'),
  ]);
  await seed(account);
  await Promise.all([seedWebhooks(account), seedUsage(account)]);
}

async function issueKey(name: KeyName): Promise<string> {
  const access: Access = name === 'full' ? { kind: 'full' } : scopedTo([name]);
  const { key, text } = issue(
    { accountId: account, name: `Demo: ${name}`, access },
    'test',
    new Date(Date.now() - ageMs),
  );
  await saveKey(key, undefined, { kind: 'operator', id: 'demo', name: 'The demo' });
  return text;
}
