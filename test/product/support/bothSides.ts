import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchResult, Contact } from '../../../lib/resources/contacts.ts';
import type { Random } from '../../simulation/random.ts';

/** What the product has a column for, by its path in the API. */
const columns: Record<string, string> = {
  email: 'email',
  first_name: 'first_name',
  last_name: 'last_name',
  phone: 'phone',
  'address.city': 'city',
  tags: 'tags',
  note: 'note',
  'custom_fields.points': 'points',
};
const paths = Object.keys(columns);

/** It has no column for this. */
const own = 'custom_fields.own';

const isJson = (path: string): boolean => path === 'tags' || path === 'custom_fields.points';

/** The last edit of a field on a side. `version` is the one that a client made, or the highest that the product knew. */
interface Edit {
  value: unknown;
  version: number;
  /** Whether it was sent more than once: an earlier time may have made an earlier version. */
  isRepeated: boolean;
}

/** A contact, and what both sides have done to it. */
interface Both {
  serial: number;
  id?: string;
  row?: number;
  /** One client writes at a time. */
  isBusy: boolean;
  clients: Map<string, Edit>;
  product: Map<string, Edit>;
}

interface Reply {
  status: number;
  /** The parsed JSON; undefined when there is no body. */
  body: unknown;
}

interface Options {
  random: Random;
  /** The base URL of the API, which may be another one after a restart. */
  url(): string;
  key: string;
  account: string;
  /** The file of the product's database. */
  database: string;
  /** Is told of a request that had a 5xx or no answer, and when it was sent. It is sent again. */
  failed(what: string, from: number): void;
}

/** No answer of the API takes longer: API Gateway ends a request after 29 seconds. */
const answerMs = 35_000;

/** Clients that edit contacts by the API, and a product that edits them by SQL. */
export class BothSides {
  private readonly failed: Options['failed'];
  private readonly random: Random;
  private readonly url: () => string;
  private readonly key: string;
  private readonly account: string;
  private readonly database: DatabaseSync;
  private readonly contacts: Both[] = [];
  private serial = 0;
  readonly counts = { POST: 0, PATCH: 0, PUT: 0, batch: 0, SQL: 0, repeated: 0 };

  constructor(options: Options) {
    this.failed = options.failed;
    this.random = options.random;
    this.url = options.url;
    this.key = options.key;
    this.account = options.account;
    this.database = new DatabaseSync(options.database, { timeout: 60_000 });
  }

  close = (): void => this.database.close();

  /** Whether the product has made its tables. */
  isReady = (): boolean =>
    this.database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'api_outbox'").get() !== undefined;

  /** A value that no other edit has. */
  private valueOf(path: string): unknown {
    const nth = ++this.serial;
    if (path === 'email') return `${nth}@example.com`;
    if (path === 'phone') return `+4930${1_000_000 + nth}`;
    if (path === 'tags') return [`tag ${nth}`];
    if (path === 'custom_fields.points') return nth % 3 === 0 ? `${nth} points` : nth;
    return `${path} ${nth}`;
  }

  private some = <T>(from: readonly T[]): T => from[this.random.below(from.length)] as T;

  /** Contacts that the product has made, with an order and a ticket each, and others that clients have made. */
  async begin(count: number): Promise<void> {
    for (let serial = 0; serial < count; serial++) {
      const contact: Both = {
        serial,
        isBusy: false,
        clients: new Map(),
        product: new Map(),
      };
      this.contacts.push(contact);
      if (serial % 2 === 0) this.insert(contact);
      else await this.some([this.post, this.put, this.batch])(contact);
    }
    // A client finds those of the product in the list, and gives them ids of its own.
    await this.until(async () => {
      const all = await this.listed();
      for (const { id, email } of all) {
        const contact = this.contacts.find(({ id, product }) => !id && product.get('email')?.value === email);
        if (contact) contact.id = id;
      }
      return all.length === count;
    });
    for (const contact of this.contacts.filter(({ clients }) => clients.size === 0))
      await this.patch(contact);
    await this.until(async () => this.contacts.every((contact) => this.rowOf(contact) !== undefined));
  }

  /** One edit, by one of the sides. */
  async edit(): Promise<void> {
    const contact = this.some(this.contacts);
    if (this.random.below(2) === 0) return this.update(contact);
    while (contact.isBusy) await sleep(5);
    contact.isBusy = true;
    await this.some([this.patch, this.patch, this.patch, this.put, this.batch])(contact);
    contact.isBusy = false;
  }

  private insert(contact: Both): void {
    const values = paths.map((path) => this.valueOf(path));
    const names = Object.values(columns);
    const { id } = this.database
      .prepare(`INSERT INTO contacts (account, ${names}) VALUES (?, ${names.map(() => '?')}) RETURNING id`)
      .get(this.account, ...values.map((value, i) => inColumn(paths[i] as string, value))) as { id: number };
    contact.row = id;
    this.note(contact.product, Object.fromEntries(paths.map((path, i) => [path, values[i]])), 0, false);
    this.database
      .prepare(
        "INSERT INTO orders (account, contact, item, price, placed_at) VALUES (?, ?, 'Mug', 900, '2026-03-01T09:30:00Z')",
      )
      .run(this.account, id);
    this.database
      .prepare(
        `INSERT INTO tickets (account, contact, event, starts_at, timezone, price, registered_at)
         VALUES (?, ?, 'Meetup', '2026-06-01T18:00:00Z', 'Europe/Berlin', 0, '2026-03-01T09:30:00Z')`,
      )
      .run(this.account, id);
  }

  private update(contact: Both): void {
    this.counts.SQL += 1;
    const changed = this.changeOf(paths);
    const names = Object.keys(changed);
    const { api_known } = this.database
      .prepare(
        `UPDATE contacts SET ${names.map((path) => `${columns[path]} = ?`)} WHERE id = ? RETURNING api_known`,
      )
      .get(...names.map((path) => inColumn(path, changed[path])), contact.row as number) as {
      api_known: number;
    };
    this.note(contact.product, changed, api_known, false);
    if (this.random.below(10) > 0) return;
    this.database
      .prepare('UPDATE orders SET payment_status = ? WHERE contact = ?')
      .run(this.some(['unpaid', 'paid']), contact.row as number);
    this.database
      .prepare('UPDATE tickets SET status = ? WHERE contact = ?')
      .run(this.some(['confirmed', 'cancelled']), contact.row as number);
  }

  /** New values for one to three of some fields. */
  private changeOf(from: readonly string[]): Record<string, unknown> {
    const chosen = Array.from({ length: 1 + this.random.below(3) }, () => this.some(from));
    return Object.fromEntries(chosen.map((path) => [path, this.valueOf(path)]));
  }

  private readonly patch = async (contact: Both): Promise<void> => {
    this.counts.PATCH += 1;
    const changed = this.changeOf([...paths, own]);
    const body = { ...bodyOf(changed), external_id: externalId(contact) };
    const { reply, isRepeated } = await this.call('PATCH', `/contacts/${contact.id}`, body);
    this.note(contact.clients, changed, (reply.body as Contact).version, isRepeated);
  };

  private whole = () => Object.fromEntries([...paths, own].map((path) => [path, this.valueOf(path)]));

  private readonly post = async (contact: Both): Promise<void> => {
    this.counts.POST += 1;
    const values = this.whole();
    const body = { ...bodyOf(values), external_id: externalId(contact) };
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const { reply, isRepeated } = await this.call('POST', '/contacts', body, headers);
    this.stated(contact, values, reply.body as Contact, isRepeated);
  };

  private readonly put = async (contact: Both): Promise<void> => {
    this.counts.PUT += 1;
    const values = this.whole();
    const path = `/contacts/by-external-id/${externalId(contact)}`;
    const { reply, isRepeated } = await this.call('PUT', path, bodyOf(values));
    this.stated(contact, values, reply.body as Contact, isRepeated);
  };

  private readonly batch = async (contact: Both): Promise<void> => {
    this.counts.batch += 1;
    const values = this.whole();
    const body = { contacts: [{ ...bodyOf(values), external_id: externalId(contact) }] };
    for (let isRepeated = false; ; isRepeated = true) {
      const called = await this.call('POST', '/contacts/batch', body);
      const [result] = (called.reply.body as { results: BatchResult[] }).results as [BatchResult];
      if (result.version !== undefined)
        return this.stated(
          contact,
          values,
          result as { id: string; version: number },
          isRepeated || called.isRepeated,
        );
    }
  };

  private stated(
    contact: Both,
    values: Record<string, unknown>,
    { id, version }: { id: string; version: number },
    isRepeated: boolean,
  ): void {
    contact.id ??= id;
    if (contact.id !== id) throw new Error(`${contact.id} has become ${id}`);
    this.note(contact.clients, values, version, isRepeated);
  }

  private note(
    edits: Both['clients'],
    values: Record<string, unknown>,
    version: number,
    isRepeated: boolean,
  ) {
    for (const [path, value] of Object.entries(values)) edits.set(path, { value, version, isRepeated });
  }

  /** Sends a request until it is answered. */
  async call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<{ reply: Reply; isRepeated: boolean }> {
    for (let isRepeated = false; ; isRepeated = true) {
      const from = Date.now();
      const reply = await this.send(method, path, body, headers).catch(String);
      if (typeof reply !== 'string' && reply.status < 400) return { reply, isRepeated };
      const what = `${method} ${path}: ${JSON.stringify(reply)}`;
      if (typeof reply === 'string' || reply.status >= 500) this.failed(what, from);
      else if (![408, 409, 429].includes(reply.status)) throw new Error(what);
      this.counts.repeated += 1;
      await sleep(200);
    }
  }

  private async send(
    method: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
  ): Promise<Reply> {
    const answer = await fetch(`${this.url()}${path}`, {
      method,
      headers: { 'X-Api-Key': this.key, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(answerMs),
    });
    const content = await answer.text();
    return { status: answer.status, body: content === '' ? undefined : JSON.parse(content) };
  }

  private async until(done: () => Promise<boolean>): Promise<void> {
    while (!(await done())) await sleep(250);
  }

  private rowOf(contact: Both): number | undefined {
    const find = 'SELECT id FROM contacts WHERE api_id = ?';
    const found = this.database.prepare(find).get(contact.id as string) as { id: number } | undefined;
    if (found) contact.row = found.id;
    return found?.id;
  }

  /** All records of the account. */
  records = async (): Promise<{ id: string; version: number }[]> =>
    (
      await Promise.all(
        ['/contacts', '/orders', '/event-registrations'].map((path) => this.all<Contact>(path)),
      )
    ).flat();

  private listed = () => this.all<Contact>('/contacts');

  private async all<R>(path: string): Promise<R[]> {
    const all: R[] = [];
    for (let total = 1; all.length < total; ) {
      const { reply } = await this.call('GET', `${path}?limit=100&offset=${all.length}`);
      const page = reply.body as { data: R[]; pagination: { total: number } };
      total = page.pagination.total;
      if (page.data.length === 0) break;
      all.push(...page.data);
    }
    return all;
  }

  /** In what the two databases differ. */
  async differences(): Promise<string[]> {
    const { waiting } = this.database.prepare('SELECT count(*) AS waiting FROM api_outbox').get() as {
      waiting: number;
    };
    if (waiting > 0) return [`${waiting} rows have yet to be sent`];
    const rows = this.database.prepare('SELECT * FROM contacts').all() as Record<string, unknown>[];
    const byId = new Map((await this.listed()).map((record) => [record.id, record]));
    const found = rows.length === byId.size ? [] : [`${rows.length} rows, ${byId.size} contacts`];
    for (const row of rows)
      for (const path of paths) {
        const here = isJson(path)
          ? JSON.parse(String(row[columns[path] as string]))
          : row[columns[path] as string];
        const there = at(byId.get(String(row.api_id)), path);
        if (!isSame(here, there))
          found.push(`${row.api_id} ${path}: ${here} in the product, ${there} in the API`);
      }
    return [
      ...found,
      ...(await this.differencesOf('orders', 'payment_status')),
      ...(await this.differencesOf('tickets', 'status')),
    ];
  }

  private async differencesOf(table: 'orders' | 'tickets', field: string): Promise<string[]> {
    const rows = this.database
      .prepare(
        `SELECT o.${field} AS field, c.api_id FROM ${table} o JOIN contacts c ON c.id = o.contact ORDER BY c.api_id`,
      )
      .all() as { field: string; api_id: string }[];
    const path = table === 'orders' ? '/orders' : '/event-registrations';
    const records = await this.all<Record<string, unknown>>(path);
    const told = (list: { field: unknown; api_id: unknown }[]) =>
      list.map((one) => `${one.api_id} ${one.field}`).sort();
    const [here, there] = [
      told(rows),
      told(records.map((one) => ({ field: one[field], api_id: one.contact_id }))),
    ];
    return isSame(here, there) ? [] : [`${table}: ${here} in the product, ${there} in the API`];
  }

  /** Where an edit is gone, and not by the rule: of two that did not know of each other, the client's stays; else the later one. */
  async wrong(): Promise<string[]> {
    const byId = new Map((await this.listed()).map((record) => [record.id, record]));
    return this.contacts.flatMap(({ id, clients, product }) =>
      [...paths, own].flatMap((path) => {
        const [client, statement] = [clients.get(path), product.get(path)];
        const isOfClient = client && (!statement || client.version > statement.version);
        const right: unknown[] = [(isOfClient ? client : statement)?.value];
        if (client?.isRepeated && statement) right.push(statement.value);
        const is = at(byId.get(id as string), path);
        return right.some((value) => isSame(value, is))
          ? []
          : [
              `${id} ${path} is ${is}; client ${JSON.stringify(client)}, product ${JSON.stringify(statement)}`,
            ];
      }),
    );
  }
}

const externalId = ({ serial }: Both): string => `ext-${serial}`;

const inColumn = (path: string, value: unknown): string =>
  isJson(path) ? JSON.stringify(value) : String(value);

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** A value of a record by its path. */
const at = (record: object | undefined, path: string): unknown => {
  const [name, part] = path.split('.') as [string, string?];
  const value = (record as Record<string, unknown> | undefined)?.[name];
  return part === undefined ? value : (value as Record<string, unknown> | null | undefined)?.[part];
};

/** The body with these values by their paths. */
function bodyOf(values: Record<string, unknown>): Record<string, unknown> {
  const body: Record<string, Record<string, unknown> | unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const [name, part] = path.split('.') as [string, string?];
    body[name] = part === undefined ? value : { ...(body[name] as object | undefined), [part]: value };
  }
  return body;
}
