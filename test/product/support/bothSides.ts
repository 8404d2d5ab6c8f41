import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchResult } from '../../../lib/resources/batchResult.ts';
import type { Contact } from '../../../lib/resources/contacts.ts';
import type { Random } from '../../simulation/random.ts';
import type { Database, Row, WrittenTable } from '../database.ts';
import { fieldOf } from '../take.ts';
import { differences } from '../verify.ts';

interface Sql {
  insert: string;
  set(path: string, column: string): string;
  known: string;
  remove: string;
  belongings: string[];
  edits: string[];
}

/** How the product itself writes its tables; what clients have changed is written through the tables of `database.written`. */
const sqls: Record<string, Sql> = {
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
  api_tickets: {
    insert:
      "INSERT INTO support_tickets (organization_id, title) SELECT id, 'New' FROM organizations WHERE slug = $1 RETURNING id::text",
    set: (path) => `UPDATE support_tickets SET ${ticketColumns[path]} WHERE id = $1`,
    known: `SELECT coalesce(known, 0) AS known FROM support_tickets LEFT JOIN api_rows ON resource = 'tickets' AND source_id = id::text
            WHERE id = $1`,
    remove: 'DELETE FROM support_tickets WHERE id = $1',
    belongings: [],
    edits: ['UPDATE support_tickets SET is_closed = NOT is_closed WHERE id = $1'],
  },
};

const ticketColumns: Record<string, string> = {
  subject: 'title = $2',
  priority: 'priority = $2',
  currency: 'currency = $2',
  price_amount: 'price_cents = $2',
  'room.floor': 'floor = $2',
  opened_at: 'opened_at = $2',
  // The contact may have been deleted just now.
  contact_source_id: 'person_id = (SELECT id FROM people WHERE id = $2 FOR KEY SHARE)',
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

/** Fields with few values: one that is set to the value that it has is not edited, so the other side's edit may stay. */
const words: Record<string, string[]> = {
  priority: ['low', 'normal', 'high'],
  currency: ['EUR', 'USD', 'JPY'],
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

/** A record, and what both sides have done to it. */
interface Both {
  of: WrittenTable;
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

/** Clients that edit contacts and other records by the API, and a product that edits, merges and deletes them by SQL. */
export class BothSides {
  private readonly options: Options;
  private readonly all: Both[] = [];
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
  }

  private below = (end: number): number => this.options.random.below(end);

  private some = <T>(from: readonly T[]): T => from[this.below(from.length)] as T;

  private rows = (sql: string, ...values: unknown[]): Promise<Row[]> =>
    this.options.database.transaction((run) => run(sql, ...values));

  /** A value that no other edit has, unless there are few. */
  private valueOf(of: WrittenTable, path: string): unknown {
    const nth = ++this.serial;
    if (of.refs?.[path]) return this.some([null, ...this.living(of.refs[path]).filter(({ id }) => id)]);
    if (words[path]) return this.some(words[path]);
    if (path === 'opened_at') return new Date(1000 * nth).toISOString();
    if (path === 'price_amount') return nth;
    if (path === 'email') return `${nth}@example.com`;
    if (path === 'phone') return `+4930${1_000_000 + nth}`;
    if (path === 'tags') return [`tag ${nth}`];
    if (path !== 'custom_fields.points') return `${path} ${nth}`;
    // A column with JSON takes any value, and one with numbers takes those.
    return nth % 3 === 0 && of.json.includes(path) ? `${nth} points` : nth;
  }

  /** The records of a resource that have a row and are not deleted. */
  private living = (resource: string): Both[] =>
    this.all.filter(({ of, isGone, row }) => of.resource === resource && !isGone && row !== undefined);

  /** Records that the product has made, with what belongs to them, and others that clients have made. */
  async begin(count: number): Promise<void> {
    for (let nth = 0; nth < count; nth++) await this.add();
    await this.until(async () => {
      for (const one of this.all) await this.meet(one);
      return this.all.every(({ id, row }) => id !== undefined && row !== undefined);
    });
  }

  private async add(): Promise<void> {
    const made: Both = {
      of: this.some(Object.values(this.options.database.written)),
      serial: ++this.serial,
      isBusy: true,
      isGone: false,
      clients: new Map(),
      product: new Map(),
    };
    this.all.push(made);
    if (this.below(2) === 0) await this.insert(made);
    else await this.some([this.post, this.put, this.batch])(made);
    made.isBusy = false;
  }

  /** Clients find what the product has made, and the product has a row of what clients have made, after a while. */
  private async meet(one: Both): Promise<boolean> {
    const { resource, table, key } = one.of;
    if (!one.id) {
      const { email, opened_at } = Object.fromEntries(
        [...one.product].map(([path, { value }]) => [path, value]),
      );
      const before = new Date(Date.parse(String(opened_at)) + 1);
      const filter =
        resource === 'contacts'
          ? `email=${email}`
          : `opened_since=${opened_at}&opened_before=${before.toISOString()}`;
      const { reply } = await this.call('GET', `/${resource}?${filter}`);
      const [found] = (reply.body as { data: Contact[] }).data;
      if (found) {
        one.id = found.id;
        // A client gives it an id of its own.
        await this.patch(one);
      }
    }
    if (one.row === undefined) {
      const [row] = await this.rows(`SELECT ${key} AS id FROM ${table} WHERE api_id = $1`, one.id);
      if (row) one.row = row.id;
    }
    return one.id !== undefined && one.row !== undefined;
  }

  /** One edit, by one of the sides. */
  async edit(): Promise<void> {
    const one = this.some(this.all);
    const kind = this.below(20);
    if (!one.isGone && kind < 10) return this.update(one);
    while (one.isBusy) await sleep(5);
    one.isBusy = true;
    try {
      const isAgain = this.all.some(({ serial, isGone }) => serial === one.serial && !isGone);
      if (one.isGone) await (isAgain ? this.patch : this.some([this.patch, this.again]))(one);
      else if (!(await this.meet(one))) return;
      else if (kind === 10) await this.remove(one);
      else await this.some([this.patch, this.patch, this.patch, this.put, this.batch])(one);
    } finally {
      one.isBusy = false;
    }
    if (kind === 10) await this.add();
  }

  /** What the product writes into a column. */
  private inColumn = ({ json }: WrittenTable, path: string, value: unknown): unknown =>
    json.includes(path) ? JSON.stringify(value) : isBoth(value) ? value.row : value;

  /** Writes values into a row. @returns what it knew; undefined when it is gone */
  private async write(one: Both, values: Record<string, unknown>): Promise<number | undefined> {
    const { of } = one;
    const { set, known } = sqls[of.table] as Sql;
    const [row] = await this.options.database.transaction(async (run) => {
      for (const [path, value] of Object.entries(values))
        await run(set(path, of.columns[path] as string), ...[one.row, this.inColumn(of, path, value)]);
      return run(known, one.row);
    });
    if (row) this.note(one.product, values, Number(row.known), false);
    return row && Number(row.known);
  }

  private async insert(one: Both): Promise<void> {
    const { account } = this.options;
    const { insert, belongings } = sqls[one.of.table] as Sql;
    const [row] = await this.rows(insert, account);
    one.row = row?.id;
    await this.write(one, this.whole(one.of));
    for (const sql of belongings) await this.rows(sql, account, one.row);
  }

  private async update(one: Both): Promise<void> {
    if (one.row === undefined) return;
    this.counts.SQL += 1;
    await this.write(one, this.changeOf(one.of));
    if (this.below(10) === 0)
      for (const sql of (sqls[one.of.table] as Sql).edits) await this.rows(sql, one.row);
  }

  /** The product deletes a row, or merges it into another one; what clients may delete, they delete as often. */
  private async remove(one: Both): Promise<void> {
    const { resource, table, moves } = one.of;
    const isSecond = this.below(2) === 0;
    const others = this.living(resource).filter(({ row }) => row !== one.row);
    const into = isSecond && resource === 'contacts' ? this.some(others)?.row : undefined;
    one.isGone = true;
    this.counts[into === undefined ? 'deleted' : 'merged'] += 1;
    if (isSecond && resource !== 'contacts')
      return void (await this.call('DELETE', `/${resource}/${one.id}`, undefined, {}, true));
    await this.options.database.transaction(async (run) => {
      if (into !== undefined) {
        await run('INSERT INTO api_merged (source_id, into_id) VALUES ($1, $2)', one.row, into);
        for (const move of moves) await run(move, one.row, into);
      }
      await run((sqls[table] as Sql).remove, one.row);
    });
  }

  /** A client states a record that is deleted: it changes the one that is about to go, or makes a new one. */
  private readonly again = async (gone: Both): Promise<void> => {
    const values = this.sent(gone.of);
    const path = `/${gone.of.resource}/by-external-id/${externalId(gone)}`;
    const { reply, isRepeated } = await this.call('PUT', path, bodyOf(values));
    const { id, version } = reply.body as Contact;
    if (id === gone.id) return;
    this.counts.again += 1;
    const known = this.all.find((one) => one.id === id);
    const contact = known ?? {
      ...gone,
      id,
      row: undefined,
      isGone: false,
      isBusy: false,
      clients: new Map(),
      product: new Map(),
    };
    if (!known) this.all.push(contact);
    this.note(contact.clients, values, version, isRepeated || known !== undefined);
  };

  private valuesOf = (of: WrittenTable, paths: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(paths.map((path) => [path, this.valueOf(of, path)]));

  /** New values for one to three fields. @param more fields that clients alone have */
  private changeOf(of: WrittenTable, ...more: string[]): Record<string, unknown> {
    const from = [...Object.keys(of.columns), ...more];
    return this.valuesOf(
      of,
      Array.from({ length: 1 + this.below(3) }, () => this.some(from)),
    );
  }

  private readonly patch = async (contact: Both): Promise<void> => {
    this.counts.PATCH += 1;
    const changed = this.changeOf(contact.of, own);
    const body = { ...bodyOf(changed), ...(contact.isGone ? {} : { external_id: externalId(contact) }) };
    const { reply, isRepeated } = await this.call(
      'PATCH',
      `/${contact.of.resource}/${contact.id}`,
      body,
      {},
      contact.isGone,
    );
    if (reply.status === 200)
      this.note(contact.clients, changed, (reply.body as Contact).version, isRepeated);
  };

  private whole = (of: WrittenTable) => this.valuesOf(of, Object.keys(of.columns));

  private sent = (of: WrittenTable) => ({ ...this.whole(of), ...this.valuesOf(of, [own]) });

  private readonly post = async (contact: Both): Promise<void> => {
    this.counts.POST += 1;
    const values = this.sent(contact.of);
    const body = { ...bodyOf(values), external_id: externalId(contact) };
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const { reply, isRepeated } = await this.call('POST', `/${contact.of.resource}`, body, headers);
    this.stated(contact, values, reply.body as Contact, isRepeated);
  };

  private readonly put = async (contact: Both): Promise<void> => {
    this.counts.PUT += 1;
    const values = this.sent(contact.of);
    const path = `/${contact.of.resource}/by-external-id/${externalId(contact)}`;
    const { reply, isRepeated } = await this.call('PUT', path, bodyOf(values));
    this.stated(contact, values, reply.body as Contact, isRepeated);
  };

  private readonly batch = async (contact: Both): Promise<void> => {
    this.counts.batch += 1;
    const values = this.sent(contact.of);
    const { resource } = contact.of;
    const body = { [resource]: [{ ...bodyOf(values), external_id: externalId(contact) }] };
    for (let isRepeated = false; ; isRepeated = true) {
      const called = await this.call('POST', `/${resource}/batch`, body);
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

  get eventTypes(): string[] {
    const own = Object.values(this.options.database.written).map(({ type }) => `${type}.*`);
    return [...own, 'order.*', 'event_registration.*'];
  }

  /** All records of the account. */
  records = async (): Promise<{ id: string; version: number }[]> =>
    (await Promise.all(this.options.database.resources.map((path) => this.recordsAt(path)))).flat();

  private async recordsAt(path: string): Promise<Contact[]> {
    const all: Contact[] = [];
    for (let after = ''; ; ) {
      const { reply } = await this.call('GET', `/${path}?limit=100${after}`);
      const { data } = reply.body as { data: Contact[] };
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
    const there = new Set((await this.written()).map((record) => record.id));
    const deleted = this.all.filter(({ id, isGone }) => isGone && there.has(id as string));
    return [...found, ...deleted.map(({ id }) => `${id} is there after its deletion`)];
  }

  private written = async (): Promise<Contact[]> =>
    (
      await Promise.all(Object.keys(this.options.database.written).map((path) => this.recordsAt(path)))
    ).flat();

  /** Where an edit is gone, and not by the rule: of two that did not know of each other, the client's stays; else the later one. */
  async wrong(): Promise<string[]> {
    const byId = new Map((await this.written()).map((record) => [record.id, record]));
    return this.all.flatMap(({ of, id, isGone, clients, product }) => {
      if (isGone || id === undefined) return [];
      const record = byId.get(id);
      return [...Object.keys(of.columns), own].flatMap((path) => {
        const [client, statement] = [clients.get(path), product.get(path)];
        const isOfClient = client && (!statement || client.version > statement.version);
        const right: unknown[] = [(isOfClient ? client : statement)?.value];
        if (statement && (client?.isRepeated || path in words || of.refs?.[path]))
          right.push(statement.value);
        const is = at(record, fieldOf(path));
        // What a record names is cleared, or another one, after that was deleted or merged.
        return right.some((value) => (isBoth(value) ? value.isGone || value.id === is : isSame(value, is)))
          ? []
          : [`${id} ${path} is ${is}; client ${text(client)}, product ${text(statement)}`];
      });
    });
  }
}

const isBoth = (value: unknown): value is Both => (value as Both | null)?.clients instanceof Map;

const text = (edit: Edit | undefined): string =>
  JSON.stringify(edit, (_, value) => (isBoth(value) ? `${value.id} ${value.row}` : value));

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
    const [name, part] = fieldOf(path).split('.') as [string, string?];
    if (isBoth(value)) body[name] = value.id;
    else body[name] = part === undefined ? value : { ...(body[name] as object | undefined), [part]: value };
  }
  return body;
}
