import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchResult } from '../../../lib/resources/batchResult.ts';
import type { Contact } from '../../../lib/resources/contacts.ts';
import type { Random } from '../../simulation/random.ts';
import type { Database, Row } from '../database.ts';
import { differences } from '../verify.ts';

/** How the product itself writes its tables; what clients have changed is written through the table of `database.written.contacts`. */
const sqls = {
  contacts: {
    insert: 'INSERT INTO contacts (account) VALUES ($1) RETURNING id',
    set: (_path: string, column: string) => `UPDATE contacts SET ${column} = $2 WHERE id = $1`,
    known: 'SELECT api_known AS known FROM contacts WHERE id = $1',
    remove: 'DELETE FROM contacts WHERE id = $1',
    belongings: [
      "INSERT INTO orders (account, contact, item, price, placed_at) VALUES ($1, $2, 'Mug', 900, '2026-03-01T09:30:00Z')",
      `INSERT INTO tickets (account, contact, event, starts_at, timezone, price, registered_at)
       VALUES ($1, $2, 'Meetup', '2026-06-01T18:00:00Z', 'Europe/Berlin', 0, '2026-03-01T09:30:00Z')`,
    ],
    edits: [
      "UPDATE orders SET payment_status = CASE payment_status WHEN 'paid' THEN 'unpaid' ELSE 'paid' END WHERE contact = $1",
      "UPDATE tickets SET status = CASE status WHEN 'confirmed' THEN 'cancelled' ELSE 'confirmed' END WHERE contact = $1",
    ],
  },
  api_contacts: {
    insert:
      'INSERT INTO people (organization_id) SELECT id FROM organizations WHERE slug = $1 RETURNING id::text',
    set: (path: string) =>
      path === 'email'
        ? `INSERT INTO emails (organization_id, person_id, address) SELECT organization_id, id, $2 FROM people WHERE id = $1
           ON CONFLICT (person_id) WHERE is_primary DO UPDATE SET address = excluded.address`
        : `UPDATE people SET ${peopleColumns[path]} = $2 WHERE id = $1`,
    known: `SELECT coalesce(known, 0) AS known FROM people LEFT JOIN api_rows ON resource = 'contacts' AND source_id = id::text
            WHERE id = $1`,
    remove: 'DELETE FROM people WHERE id = $1',
    belongings: [
      `WITH sale AS (INSERT INTO sales (organization_id, person_id) SELECT id, $2::bigint FROM organizations WHERE slug = $1 RETURNING id)
       INSERT INTO sale_lines (sale_id, title, unit_price) SELECT id, 'Mug', 9 FROM sale`,
      `WITH show AS (INSERT INTO shows (organization_id, title, starts_at) SELECT id, 'Meetup', '2026-06-01T18:00:00Z' FROM organizations WHERE slug = $1 RETURNING id)
       INSERT INTO tickets (show_id, person_id) SELECT id, $2::bigint FROM show`,
    ],
    edits: [
      "UPDATE sales SET state = CASE state WHEN 'paid' THEN 'open' ELSE 'paid' END WHERE person_id = $1",
      'UPDATE sale_lines SET quantity = quantity + 1 WHERE sale_id IN (SELECT id FROM sales WHERE person_id = $1)',
      'UPDATE tickets SET is_returned = NOT is_returned WHERE person_id = $1',
      "UPDATE shows SET title = title || '!' WHERE id IN (SELECT show_id FROM tickets WHERE person_id = $1)",
    ],
  },
};

const peopleColumns: Record<string, string> = {
  first_name: 'given_name',
  last_name: 'family_name',
  phone: 'phone',
  'address.city': 'city',
  tags: 'labels',
  note: 'remarks',
  'custom_fields.points': 'points',
};

/** The product has no column for this. */
const own = 'custom_fields.own';

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
  row?: unknown;
  /** One client writes at a time. */
  isBusy: boolean;
  /** Whether the product has deleted its row. */
  isGone: boolean;
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
  /** The product's. */
  database: Database;
  /** Is told of a request that had a 5xx or no answer, and when it was sent. It is sent again. */
  failed(what: string, from: number): void;
}

/** No answer of the API takes longer: API Gateway ends a request after 29 seconds. */
const answerMs = 35_000;

/** Clients that edit contacts by the API, and a product that edits, merges and deletes them by SQL. */
export class BothSides {
  private readonly options: Options;
  private readonly paths: readonly string[];
  private readonly sql: (typeof sqls)['contacts'];
  private readonly contacts: Both[] = [];
  private serial = 0;
  readonly counts = {
    POST: 0,
    PATCH: 0,
    PUT: 0,
    batch: 0,
    SQL: 0,
    deleted: 0,
    merged: 0,
    again: 0,
    repeated: 0,
  };

  constructor(options: Options) {
    this.options = options;
    const { table, columns } = options.database.written.contacts;
    this.paths = Object.keys(columns);
    this.sql = sqls[table as keyof typeof sqls];
  }

  private below = (end: number): number => this.options.random.below(end);

  private some = <T>(from: readonly T[]): T => from[this.below(from.length)] as T;

  private rows = (sql: string, ...values: unknown[]): Promise<Row[]> =>
    this.options.database.transaction((run) => run(sql, ...values));

  /** A value that no other edit has. */
  private valueOf(path: string): unknown {
    const nth = ++this.serial;
    if (path === 'email') return `${nth}@example.com`;
    if (path === 'phone') return `+4930${1_000_000 + nth}`;
    if (path === 'tags') return [`tag ${nth}`];
    if (path !== 'custom_fields.points') return `${path} ${nth}`;
    // A column with JSON takes any value, and one with numbers takes those.
    return nth % 3 === 0 && this.options.database.written.contacts.json.includes(path)
      ? `${nth} points`
      : nth;
  }

  /** Contacts that the product has made, with what belongs to them, and others that clients have made. */
  async begin(count: number): Promise<void> {
    for (let nth = 0; nth < count; nth++) await this.add();
    await this.until(async () => {
      for (const contact of this.contacts) await this.meet(contact);
      return this.contacts.every(({ id, row }) => id !== undefined && row !== undefined);
    });
  }

  private async add(): Promise<void> {
    const contact: Both = {
      serial: ++this.serial,
      isBusy: true,
      isGone: false,
      clients: new Map(),
      product: new Map(),
    };
    this.contacts.push(contact);
    if (this.below(2) === 0) await this.insert(contact);
    else await this.some([this.post, this.put, this.batch])(contact);
    contact.isBusy = false;
  }

  /** Clients find what the product has made, and the product has a row of what clients have made, after a while. */
  private async meet(contact: Both): Promise<boolean> {
    if (!contact.id) {
      const email = contact.product.get('email')?.value;
      const { reply } = await this.call('GET', `/contacts?email=${email}`);
      const [found] = (reply.body as { data: Contact[] }).data;
      if (found) {
        contact.id = found.id;
        // A client gives it an id of its own.
        await this.patch(contact);
      }
    }
    if (contact.row === undefined) {
      const { table, key } = this.options.database.written.contacts;
      const [row] = await this.rows(`SELECT ${key} AS id FROM ${table} WHERE api_id = $1`, contact.id);
      if (row) contact.row = row.id;
    }
    return contact.id !== undefined && contact.row !== undefined;
  }

  /** One edit, by one of the sides. */
  async edit(): Promise<void> {
    const contact = this.some(this.contacts);
    const kind = this.below(20);
    if (!contact.isGone && kind < 10) return this.update(contact);
    while (contact.isBusy) await sleep(5);
    contact.isBusy = true;
    try {
      const isAgain = this.contacts.some(({ serial, isGone }) => serial === contact.serial && !isGone);
      if (contact.isGone) await (isAgain ? this.patch : this.some([this.patch, this.again]))(contact);
      else if (!(await this.meet(contact))) return;
      else if (kind === 10) await this.remove(contact);
      else await this.some([this.patch, this.patch, this.patch, this.put, this.batch])(contact);
    } finally {
      contact.isBusy = false;
    }
    if (kind === 10) await this.add();
  }

  private inColumn = (path: string, value: unknown): unknown =>
    this.options.database.written.contacts.json.includes(path) ? JSON.stringify(value) : value;

  /** Writes values into a row. @returns what it knew; undefined when it is gone */
  private async write(contact: Both, values: Record<string, unknown>): Promise<number | undefined> {
    const { columns } = this.options.database.written.contacts;
    const [row] = await this.options.database.transaction(async (run) => {
      for (const [path, value] of Object.entries(values))
        await run(this.sql.set(path, columns[path] as string), ...[contact.row, this.inColumn(path, value)]);
      return run(this.sql.known, contact.row);
    });
    if (row) this.note(contact.product, values, Number(row.known), false);
    return row && Number(row.known);
  }

  private async insert(contact: Both): Promise<void> {
    const { account } = this.options;
    const [row] = await this.rows(this.sql.insert, account);
    contact.row = row?.id;
    await this.write(contact, Object.fromEntries(this.paths.map((path) => [path, this.valueOf(path)])));
    for (const sql of this.sql.belongings) await this.rows(sql, account, contact.row);
  }

  private async update(contact: Both): Promise<void> {
    if (contact.row === undefined) return;
    this.counts.SQL += 1;
    await this.write(contact, this.changeOf(this.paths));
    if (this.below(10) === 0) for (const sql of this.sql.edits) await this.rows(sql, contact.row);
  }

  /** The product deletes a row, or merges it into another one. */
  private async remove(contact: Both): Promise<void> {
    const { moves } = this.options.database.written.contacts;
    const others = this.contacts.filter(
      ({ isGone, row }) => !isGone && row !== undefined && row !== contact.row,
    );
    const into = this.below(2) === 0 ? this.some(others)?.row : undefined;
    contact.isGone = true;
    this.counts[into === undefined ? 'deleted' : 'merged'] += 1;
    await this.options.database.transaction(async (run) => {
      if (into !== undefined) {
        await run('INSERT INTO api_merged (source_id, into_id) VALUES ($1, $2)', contact.row, into);
        for (const move of moves) await run(move, contact.row, into);
      }
      await run(this.sql.remove, contact.row);
    });
  }

  /** A client states a contact that is deleted: it changes the one that is about to go, or makes a new one. */
  private readonly again = async (gone: Both): Promise<void> => {
    const values = this.whole();
    const { reply, isRepeated } = await this.call(
      'PUT',
      `/contacts/by-external-id/${externalId(gone)}`,
      bodyOf(values),
    );
    const { id, version } = reply.body as Contact;
    if (id === gone.id) return;
    this.counts.again += 1;
    const known = this.contacts.find((contact) => contact.id === id);
    const contact = known ?? {
      ...gone,
      id,
      row: undefined,
      isGone: false,
      isBusy: false,
      clients: new Map(),
      product: new Map(),
    };
    if (!known) this.contacts.push(contact);
    this.note(contact.clients, values, version, isRepeated || known !== undefined);
  };

  /** New values for one to three of some fields. */
  private changeOf(from: readonly string[]): Record<string, unknown> {
    const chosen = Array.from({ length: 1 + this.below(3) }, () => this.some(from));
    return Object.fromEntries(chosen.map((path) => [path, this.valueOf(path)]));
  }

  private readonly patch = async (contact: Both): Promise<void> => {
    this.counts.PATCH += 1;
    const changed = this.changeOf([...this.paths, own]);
    const body = { ...bodyOf(changed), ...(contact.isGone ? {} : { external_id: externalId(contact) }) };
    const { reply, isRepeated } = await this.call(
      'PATCH',
      `/contacts/${contact.id}`,
      body,
      {},
      contact.isGone,
    );
    if (reply.status === 200)
      this.note(contact.clients, changed, (reply.body as Contact).version, isRepeated);
  };

  private whole = () => Object.fromEntries([...this.paths, own].map((path) => [path, this.valueOf(path)]));

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
    for (const [path, value] of Object.entries(values))
      if (version >= (edits.get(path)?.version ?? 0)) edits.set(path, { value, version, isRepeated });
  }

  /** Sends a request until it is answered. @param mayBeGone whether 404 is an answer */
  async call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
    mayBeGone = false,
  ): Promise<{ reply: Reply; isRepeated: boolean }> {
    for (let isRepeated = false; ; isRepeated = true) {
      const from = Date.now();
      const reply = await this.send(method, path, body, headers).catch(String);
      if (typeof reply !== 'string' && (reply.status < 400 || (mayBeGone && reply.status === 404)))
        return { reply, isRepeated };
      const what = `${method} ${path}: ${JSON.stringify(reply)}`;
      if (typeof reply === 'string' || reply.status >= 500) this.options.failed(what, from);
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
    const { url, key } = this.options;
    const answer = await fetch(`${url()}${path}`, {
      method,
      headers: { 'X-Api-Key': key, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(answerMs),
    });
    const content = await answer.text();
    return { status: answer.status, body: content === '' ? undefined : JSON.parse(content) };
  }

  private async until(done: () => Promise<boolean>): Promise<void> {
    while (!(await done())) await sleep(250);
  }

  /** All records of the account. */
  records = async (): Promise<{ id: string; version: number }[]> =>
    (
      await Promise.all(
        ['/contacts', '/orders', '/event-registrations'].map((path) => this.all<Contact>(path)),
      )
    ).flat();

  private async all<R>(path: string): Promise<R[]> {
    const all: R[] = [];
    for (let after = ''; ; ) {
      const { reply } = await this.call('GET', `${path}?limit=100${after}`);
      const { data } = reply.body as { data: (R & { id: string })[] };
      all.push(...data);
      if (data.length === 0) return all;
      after = `&after=${data.at(-1)?.id}`;
    }
  }

  /** In what the two databases differ. */
  async differences(): Promise<string[]> {
    const { url, key, database } = this.options;
    await database.gather?.();
    const [outbox] = await this.rows('SELECT count(*) AS waiting FROM api_outbox');
    if (Number(outbox?.waiting) > 0) return [`${outbox?.waiting} rows have yet to be sent`];
    const found = await differences(database, url(), key).catch((error) => [String(error)]);
    // The verifier lets a deletion that is under way count as made.
    const there = new Set((await this.all<Contact>('/contacts')).map((record) => record.id));
    const deleted = this.contacts.filter(({ id, isGone }) => isGone && there.has(id as string));
    return [...found, ...deleted.map(({ id }) => `${id} is there after its deletion`)];
  }

  /** Where an edit is gone, and not by the rule: of two that did not know of each other, the client's stays; else the later one. */
  async wrong(): Promise<string[]> {
    const byId = new Map((await this.all<Contact>('/contacts')).map((record) => [record.id, record]));
    return this.contacts.flatMap(({ id, isGone, clients, product }) => {
      if (isGone || id === undefined) return [];
      const record = byId.get(id);
      return [...this.paths, own].flatMap((path) => {
        const [client, statement] = [clients.get(path), product.get(path)];
        const isOfClient = client && (!statement || client.version > statement.version);
        const right: unknown[] = [(isOfClient ? client : statement)?.value];
        if (client?.isRepeated && statement) right.push(statement.value);
        const is = at(record, path);
        return right.some((value) => isSame(value, is))
          ? []
          : [
              `${id} ${path} is ${is}; client ${JSON.stringify(client)}, product ${JSON.stringify(statement)}`,
            ];
      });
    });
  }
}

const externalId = ({ serial }: Both): string => `ext-${serial}`;

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
