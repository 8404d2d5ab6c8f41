import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { consolePageFiles } from '../../../infra/console/pageFiles.ts';
import type { ActivityEntry } from '../../../lib/contract/console/activity.ts';
import type { ConsoleKey } from '../../../lib/contract/console/keys.ts';
import type { SessionAnswer } from '../../../lib/contract/console/session.ts';
import type { WebhookDelivery } from '../../../lib/contract/webhookDeliveries.ts';
import type { WebhookSubscription } from '../../../lib/contract/webhookSubscriptions.ts';
import { givenEntry, givenKey, givenSession, givenSubscription, stateOf } from './fakeData.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** A console's API in memory, with its locks and its sessions, and the page. */
export interface FakeConsole {
  url: string;
  keys: ConsoleKey[];
  entries: ActivityEntry[];
  subscriptions: WebhookSubscription[];
  deliveries: WebhookDelivery[];
  /** A new link. */
  link(change?: Partial<SessionAnswer>): string;
  endSessions(): void;
  close(): Promise<void>;
}

/** The fields of all bodies. */
interface Sent {
  name: string;
  scopes?: ConsoleKey['scopes'];
  full_access?: true;
  expires_at?: string | null;
  overlap_seconds: number;
  code: string;
  status?: WebhookSubscription['status'];
}

interface Answer {
  status: number;
  body?: unknown;
  cookie?: string;
}

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function fakeConsole(): Promise<FakeConsole> {
  const files = await consolePageFiles();
  const links = new Map<string, SessionAnswer>();
  const sessions = new Map<string, SessionAnswer>();
  const answers = new Map<string, Answer>();
  const fake: FakeConsole = {
    url: '',
    keys: [],
    entries: [],
    subscriptions: [],
    deliveries: [],
    link: (change) => {
      const code = randomBytes(32).toString('base64url');
      links.set(code, givenSession(change));
      return `${fake.url}#code=${code}`;
    },
    endSessions: () => sessions.clear(),
    close: () => new Promise((done) => server.close(() => done())),
  };

  const page = (url: URL, response: ServerResponse): void => {
    const name = url.pathname.slice('/console/'.length) || 'index.html';
    const file = files.find((one) => one.name === name);
    response.writeHead(file ? 200 : 404, {
      'Content-Type': file?.type ?? 'text/plain',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
    });
    response.end(file?.content);
  };

  const secretOf = () => `pak_test_${randomBytes(24).toString('base64url').slice(0, 36)}`;
  const note = (action: ActivityEntry['action'], key: ConsoleKey | null, before: ConsoleKey | null) =>
    fake.entries.unshift(
      givenEntry(
        {
          id: `${new Date().toISOString()}#${fake.entries.length}`,
          action,
          key_id: key?.id ?? null,
          key_name: key?.name ?? null,
          before: before && stateOf(before),
          after: key && stateOf(key),
        },
        0,
      ),
    );
  const listed = <T>(all: readonly T[], query: URLSearchParams) => {
    const [limit, offset] = [Number(query.get('limit') ?? 25), Number(query.get('offset') ?? 0)];
    return { data: all.slice(offset, offset + limit), pagination: { limit, offset, total: all.length } };
  };
  const found = <T extends { id: string }>(all: readonly T[], id: string | undefined): T => {
    const one = all.find((each) => each.id === id);
    if (!one) throw new Refusal(404, `Nothing has the id "${id}"`);
    return one;
  };
  const matches = (request: IncomingMessage, { version }: { version: number }) => {
    if (request.headers['if-match'] !== undefined && request.headers['if-match'] !== `"${version}"`)
      throw new Refusal(412, `If-Match must name the version that is there, which is "${version}"`);
  };
  const secrets = (hint: string) => [{ hint, expires_at: null, last_used_at: null }];

  const keyCall = (
    request: IncomingMessage,
    id: string | undefined,
    rest: string | undefined,
    sent: Sent,
    query: URLSearchParams,
  ): Answer => {
    if (id === undefined && request.method === 'GET') return { status: 200, body: listed(fake.keys, query) };
    const secret = secretOf();
    const hint = secret.slice(-4);
    if (id === undefined) {
      const key = givenKey({
        name: sent.name,
        scopes: sent.scopes ?? [],
        full_access: sent.full_access ?? false,
        expires_at: sent.expires_at ?? null,
        created_at: new Date().toISOString(),
        display: `pak_test_…${hint}`,
      });
      fake.keys.unshift(key);
      note('key.created', key, null);
      return { status: 201, body: { key, secret } };
    }
    const key = found(fake.keys, id);
    const before = structuredClone(key);
    if (request.method === 'GET') {
      const history = fake.entries.filter((entry) => entry.key_id === id);
      return { status: 200, body: { ...key, history, changes_recorded: Math.max(history.length, 1) } };
    }
    if (rest === 'rotate') {
      const expires_at = new Date(Date.now() + sent.overlap_seconds * 1000).toISOString();
      const older = sent.overlap_seconds
        ? key.secrets.map((one) => ({ ...one, expires_at: one.expires_at ?? expires_at }))
        : [];
      Object.assign(key, {
        secrets: [...secrets(hint), ...older],
        status: older.length ? 'rotating' : 'active',
        display: `pak_test_…${hint}`,
      });
      note('key.rotated', key, before);
    } else if (rest === 'revoke') {
      Object.assign(key, { status: 'revoked', revoked_at: new Date().toISOString(), secrets: [] });
      note('key.revoked', key, before);
    } else {
      matches(request, key);
      Object.assign(key, sent, sent.full_access ? { scopes: [] } : sent.scopes ? { full_access: false } : {});
      note('key.changed', key, before);
    }
    key.version += 1;
    return { status: 200, body: rest === 'rotate' ? { key, secret } : key };
  };

  const webhookCall = (
    request: IncomingMessage,
    [id, rest, delivery, action]: string[],
    sent: Sent,
    query: URLSearchParams,
  ): Answer => {
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    if (id === undefined && request.method === 'GET')
      return { status: 200, body: listed(fake.subscriptions, query) };
    if (id === undefined) {
      const one = givenSubscription({
        ...sent,
        health: { consecutive_failures: 0, last_success_at: null, last_failure_at: null },
      });
      fake.subscriptions.unshift(one);
      return { status: 201, body: { ...one, secret } };
    }
    const one = found(fake.subscriptions, id);
    if (rest === 'test')
      return {
        status: 200,
        body: {
          event_id: 'evt_1',
          event_type: 'webhook.test',
          started_at: new Date().toISOString(),
          duration_ms: 48,
          http_status: 200,
          outcome: 'success',
          response_excerpt: 'thanks',
        },
      };
    if (rest === 'rotate-secret') return { status: 200, body: { ...one, secret } };
    if (action === 'redeliver')
      return { status: 202, body: Object.assign(found(fake.deliveries, delivery), { status: 'pending' }) };
    if (rest === 'deliveries')
      return {
        status: 200,
        body: listed(
          fake.deliveries.filter((each) => each.subscription_id === id),
          query,
        ),
      };
    if (request.method === 'DELETE') {
      fake.subscriptions.splice(fake.subscriptions.indexOf(one), 1);
      return { status: 204 };
    }
    if (request.method === 'PATCH') {
      matches(request, one);
      Object.assign(one, sent, {
        version: one.version + 1,
        status_reason: sent.status === 'paused' ? 'manual' : null,
      });
    }
    return { status: 200, body: one };
  };

  const sessionCall = (request: IncomingMessage, cookie: string, sent: Sent): Answer => {
    if (request.method === 'POST') {
      const session = links.get(sent.code);
      if (!session) throw new Refusal(401, 'This link was used or is too old');
      links.delete(sent.code);
      const id = randomBytes(32).toString('base64url');
      sessions.set(id, session);
      return {
        status: 201,
        body: session,
        cookie: `__Host-console=${id}; Path=/; Secure; HttpOnly; SameSite=Strict`,
      };
    }
    if (request.method === 'GET') return { status: 200, body: sessions.get(cookie) };
    sessions.delete(cookie);
    return { status: 204, cookie: '__Host-console=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0' };
  };

  const api = async (request: IncomingMessage, url: URL): Promise<Answer> => {
    if (request.headers['sec-fetch-site'] !== 'same-origin') throw new Refusal(403, 'Only the page may ask');
    const cookie = /__Host-console=([\w-]{43})/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const sent = JSON.parse((await text(request)) || 'null');
    const [, what, ...parts] = url.pathname.slice('/console/'.length).split('/');
    const session = sessions.get(cookie);
    if (!session && !(what === 'session' && request.method === 'POST'))
      throw new Refusal(401, 'Your session has ended');
    if (session?.role === 'viewer' && request.method !== 'GET' && what !== 'session')
      throw new Refusal(403, 'Your role in this account may only read');
    const once = request.headers['idempotency-key'];
    const kept = answers.get(`${url.pathname} ${once}`);
    if (kept) return what === 'keys' ? { ...kept, body: { ...(kept.body as object), secret: null } } : kept;
    const answer =
      what === 'session'
        ? sessionCall(request, cookie, sent)
        : what === 'keys'
          ? keyCall(request, parts[0], parts[1], sent, url.searchParams)
          : what === 'activity'
            ? activityCall(url.searchParams)
            : webhookCall(request, parts, sent, url.searchParams);
    if (once) answers.set(`${url.pathname} ${once}`, structuredClone(answer));
    return answer;
  };

  const activityCall = (query: URLSearchParams): Answer => {
    const all = fake.entries.filter(
      ({ key_id, id }) => [null, key_id].includes(query.get('key_id')) && (query.get('before') ?? '~') > id,
    );
    const limit = Number(query.get('limit') ?? 50);
    return { status: 200, body: { data: all.slice(0, limit), has_more: all.length > limit } };
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (!url.pathname.startsWith('/console/api/')) return page(url, response);
    const { status, body, cookie } = await api(request, url).catch((error: Refusal) => ({
      status: error.status ?? 500,
      body: { error: 'Refused', message: error.message },
      cookie: undefined,
    }));
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Request-Id': randomUUID(),
      ...(cookie ? { 'Set-Cookie': cookie } : {}),
    });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/console/`;
  return fake;
}
