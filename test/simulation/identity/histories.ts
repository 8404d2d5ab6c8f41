import { marshall } from '@aws-sdk/util-dynamodb';
import { sqs } from '../../../lib/aws/queues.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env } from '../../../lib/env.ts';
import { ingest } from '../../../lib/inbox/ingest.ts';
import { sendChanges } from '../../../lib/outbox/sendChanges.ts';
import { createRecord } from '../../../lib/records/commitQueue/create.ts';
import { deleteNamed } from '../../../lib/records/deletion/deleteNamed.ts';
import { counterKey, deletedCountKey, inAccount, noteKey } from '../../../lib/records/recordKeys.ts';
import { byKey, byOperator } from '../../../lib/records/recordOrigin.ts';
import type { SourceItem } from '../../../lib/records/source.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import { upsertRecord } from '../../../lib/records/upsert/upsert.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { SimulatedDatabase } from '../database.ts';
import type { Item } from '../expressions.ts';
import { Random } from '../random.ts';
import { runUntil, sleep } from '../virtualTime.ts';
import { type Profile, profiles } from './profiles.ts';

// Random histories of an app and the API, with the real code of the inbox: rows are deleted and come back under their name, clients and
// operators write and delete, clocks are wrong, and two queues repeat, delay and reorder. The app answers what is rejected as docs/merge.md
// says. In the end both have the same, no deleted person is back, and whoever was left out was told of.

export interface Histories {
  /** The first seed. */
  first: number;
  count: number;
}

export interface HistoriesResult {
  records: number;
  deletions: number;
  rejections: Record<string, number>;
  /** The seed of the history that broke a promise. */
  found: Record<string, number[]>;
}

/** Runs histories until one breaks a promise. */
export async function runHistories({ first, count }: Histories): Promise<HistoriesResult> {
  const all: HistoriesResult = { records: 0, deletions: 0, rejections: {}, found: {} };
  for (let seed = first; seed < first + count; seed++) {
    const history = new History(seed, all);
    try {
      await runUntil(history.run());
    } catch (error) {
      const violation = error instanceof Violation ? error.message : String((error as Error).stack);
      all.found[violation] = [seed];
      break;
    }
  }
  return all;
}

class Violation extends Error {}

const account = 'acc_one';
const ref = { account, type: contacts.type };
const collection = inAccount(contacts, account);
const second = 1000;
const steps = 400;
/** A message of the inbox is a dead letter after so many receives. */
const receivesMax = 5;

/** A row of the app. A name that is used again has another person. */
interface Row {
  name: string;
  person: number;
  value: number;
  revision: number;
  firstRevision: number;
  updatedAt: string;
  /** The id of the record, when a client has created it. */
  id?: string | undefined;
  knownDeletion?: string | undefined;
}

interface InboxMessage {
  body: object;
  due: number;
  receives: number;
  id: string;
  row: Pick<Row, 'name' | 'person'>;
}

interface OutboxMessage {
  id: string;
  type: string;
  timestamp: string;
  origin?: { kind: string };
  resource: { id: string; source_id: string | null; external_id: string | null; revision: number | null };
  data: { note: string } | null;
  reason: string;
  deleted_at: string | null;
  deleted_id: string | null;
  stored: boolean;
}

const noteOf = ({ person, value }: Pick<Row, 'person' | 'value'>) => `${person} ${value}`;
const personIn = (note: unknown) => Number(String(note).split(' ')[0]);

class History {
  private readonly random: Random;
  private readonly database: SimulatedDatabase;
  private readonly profile: Profile;
  private readonly all: HistoriesResult;
  private readonly skewMs: number;
  private readonly rows = new Map<string, Row>();
  /** The person that each deleted row was about. */
  private readonly past = new Map<string, number>();
  private readonly deletedIds = new Set<string>();
  private readonly inbox: InboxMessage[] = [];
  private outbox: OutboxMessage[] = [];
  private readonly messages = new Map<string, InboxMessage>();
  private seen = new Map<string, Item>();
  /** The persons that each record has been about. */
  private readonly persons = new Map<string, Set<number>>();
  /** Persons whose deletion was made, and those of rows that the app has deleted. */
  private readonly erased = new Set<number>();
  private readonly dropped = new Set<number>();
  private readonly ofApp = new Set<number>();
  /** Persons and names of which people know that something was rejected. */
  private readonly told = new Set<number | string>();
  private count = 0;
  private lastTime = 0;
  private isDraining = false;

  constructor(seed: number, all: HistoriesResult) {
    this.random = new Random(seed);
    this.database = new SimulatedDatabase('aws', this.random);
    this.profile = profiles[seed % profiles.length] as Profile;
    this.skewMs = (this.random.below(121) - 60) * second;
    this.all = all;
  }

  private chance = (share: number): boolean => this.random.next() < share;
  private pick = <T>(all: Iterable<T>): T | undefined => {
    const list = [...all];
    return list[this.random.below(list.length)];
  };

  async run(): Promise<void> {
    const { insert, edit, remove, again, replace, ahead, merge, make, patch, erase } = this;
    Math.random = this.random.next;
    Object.assign(dynamodb(), { send: (command: never) => this.database.send(command) });
    Object.assign(sqs(), { send: (command: SqsCommand) => this.enqueue(command) });
    if (this.profile.outbox) process.env[env.recordsOutbox] = 'https://sqs.example/outbox';
    else delete process.env[env.recordsOutbox];
    const some = [insert, insert, edit, edit, remove, again, replace, ahead, make, patch, erase, merge];
    for (let i = 0; i < steps; i++) {
      await sleep(this.random.below(10) * second);
      const act = this.chance(0.3) && this.inbox.length < 40 ? this.pick(some) : this.tick;
      await act?.();
    }
    this.isDraining = true;
    await sleep(100_000 * second);
    for (let i = 0; this.inbox.length + this.outbox.length > 0; i++) {
      if (i > 5000) throw new Violation('it does not end');
      await this.tick();
    }
    this.check();
  }

  private tick = async (): Promise<void> => {
    await sleep(this.random.below(20) * second);
    if (this.outbox.length > 0 && (this.inbox.length === 0 || this.chance(0.5))) return this.hear();
    return this.deliver();
  };

  // The API.

  private async enqueue({ input: { Entries } }: SqsCommand): Promise<object> {
    for (const { MessageBody } of Entries) this.outbox.push(JSON.parse(MessageBody));
    return {};
  }

  private get records(): Item[] {
    return this.database.items().filter(({ pk }) => /#contact#\d+$/.test(String(pk)));
  }

  /** Takes what has changed: the outbox gets it, and no deleted person may be in it. */
  private async observe(message?: InboxMessage): Promise<void> {
    for (const item of this.records) {
      const id = item.id as string;
      const before = this.seen.get(id);
      if (before?.version === item.version) {
        this.seen.set(id, item);
        continue;
      }
      this.seen.set(id, item);
      const persons = this.persons.get(id) ?? new Set();
      this.persons.set(id, persons);
      if (item.deleted_at === undefined) {
        const person = personIn(item.note);
        if (this.erased.has(person)) throw new Violation('a deleted person is back');
        persons.add(person);
        if (!before) this.all.records += 1;
      } else {
        this.all.deletions += 1;
        this.noteDeleted(item, persons, message);
      }
      const images = { NewImage: marshalled(item), ...(before ? { OldImage: marshalled(before) } : {}) };
      if (this.profile.outbox)
        await sendChanges([{ dynamodb: { ...images, SequenceNumber: id } } as never], 5000);
    }
  }

  private noteDeleted({ origin }: Item, persons: Set<number>, message: InboxMessage | undefined): void {
    const ofRows = new Set([...this.rows.values()].map(({ person }) => person));
    const isByApp = (origin as { kind: string }).kind === 'product';
    for (const person of persons)
      if (
        !isByApp ||
        person <= (message?.row.person ?? 0) ||
        (!ofRows.has(person) && !this.ofApp.has(person))
      )
        this.erased.add(person);
    // The command says so to a person, and nobody else does without an outbox.
    if (!isByApp && !this.profile.outbox) for (const person of persons) this.told.add(person);
    const { body } = message ?? {};
    const deletion = (body as { deleted?: { revision?: number; updated_at?: string } } | undefined)?.deleted;
    const isUnproven = deletion && deletion.revision === undefined && deletion.updated_at === undefined;
    if (isUnproven && !this.profile.outbox) for (const person of persons) this.told.add(person);
  }

  /** The API takes a message, which may come again, and in any order. */
  private deliver = async (): Promise<void> => {
    const ready = this.inbox.filter(({ due }) => due <= Date.now() || this.isDraining);
    const message = this.pick(ready.length > 0 ? ready : this.inbox);
    if (!message) return;
    message.receives += 1;
    const { id, body, receives } = message;
    const before = this.outbox.length;
    const failed = await ingest([{ id, body: JSON.stringify(body), receives }], Number.POSITIVE_INFINITY);
    for (const { reason, type } of this.outbox.slice(before))
      if (type === 'refusal') this.all.rejections[reason] = (this.all.rejections[reason] ?? 0) + 1;
    await this.observe(message);
    const isDeadLetter = failed.length > 0 && receives >= receivesMax;
    if (isDeadLetter) for (const one of [message.row.name, message.row.person]) this.told.add(one);
    const isDeletion = 'deleted' in body;
    if (isDeletion && failed.length === 0 && this.isNoted(message)) this.erased.add(message.row.person);
    if (isDeadLetter || (failed.length === 0 && (this.isDraining || this.chance(0.8))))
      this.inbox.splice(this.inbox.indexOf(message), 1);
    else message.due = Date.now() + this.random.below(400) * second;
  };

  /** Whether no record of the name of a deletion is left. */
  private isNoted({ row: { name } }: InboxMessage): boolean {
    return this.recordOf(name) === undefined;
  }

  private recordOf(name: string): Item | undefined {
    return this.records.find((item) => item[this.profile.names] === name && item.deleted_at === undefined);
  }

  private noteAt(name: string): SourceItem | undefined {
    const [sourceId, externalId] = this.profile.names === 'source_id' ? [name, null] : [undefined, name];
    return this.database.get(noteKey(ref, sourceId, externalId) as never) as SourceItem | undefined;
  }

  private get living(): Item[] {
    return this.records.filter(({ deleted_at }) => deleted_at === undefined);
  }

  // Clients and an operator.

  private by = () => ({ deadline: Date.now() + 10 * second, origin: byKey('key_1') });
  private contentOf = (person: number, external_id: string | null = null) => ({
    ...contacts.blank,
    external_id,
    note: noteOf({ person, value: ++this.count }),
  });

  private make = async (): Promise<void> => {
    const external_id = this.profile.names === 'source_id' ? null : `name ${this.random.below(4)}`;
    if (external_id !== null && this.recordOf(external_id)) return;
    const content = this.contentOf(++this.count, external_id);
    if (external_id === null) await createRecord(collection, content, this.by());
    else await upsertRecord(collection, { ...content, external_id }, { ...this.by(), permit: () => {} });
    await this.observe();
  };

  private patch = async (): Promise<void> => {
    const item = this.pick(this.living);
    if (!item) return;
    const change = ({ record }: { record: object }) => ({
      content: { ...record, company: `c${++this.count}` } as never,
    });
    await updateRecord(collection, item.id as string, change, this.by());
    await this.observe();
  };

  private erase = async (): Promise<void> => {
    const item = this.pick(this.living);
    if (!item || this.chance(0.5)) return;
    const options = { origin: byOperator, deadline: Date.now() + 10 * second };
    await deleteNamed(ref, { recordId: item.id as string }, options);
    await this.observe();
  };

  // The app.

  private send(row: Pick<Row, 'name' | 'person'>, body: object): InboxMessage {
    const due = Date.now() + this.random.below(this.chance(0.2) ? 900 : 60) * second;
    const id = `m${++this.count}`;
    const message = { id, row, due, receives: 0, body: { account, resource: 'contacts', ...body } };
    this.messages.set(id, message);
    this.inbox.push(message);
    return message;
  }

  private clock(): string {
    this.lastTime = Math.max(this.lastTime + 1, Date.now() + this.skewMs);
    return new Date(this.lastTime).toISOString();
  }

  private termsOf({
    name,
    revision,
    id,
    knownDeletion,
  }: Pick<Row, 'name' | 'revision' | 'id' | 'knownDeletion'>) {
    return {
      [this.profile.names]: name,
      ...(this.profile.revision ? { revision } : {}),
      ...(id === undefined ? {} : { id }),
      ...(knownDeletion === undefined ? {} : { known_deletion: knownDeletion }),
    };
  }

  private sendRow(row: Row, updatedAt = row.updatedAt): void {
    const record = {
      ...this.termsOf(row),
      ...(this.profile.firstRevision ? { first_revision: row.firstRevision } : {}),
      ...(this.profile.updatedAt ? { updated_at: updatedAt } : {}),
      // It knew of all edits by clients: which person a record is about is not merged.
      known_version: 1_000_000,
      note: noteOf(row),
    };
    this.send({ name: row.name, person: row.person }, { record });
  }

  private sendDeletion(
    row: Pick<Row, 'name' | 'person' | 'id' | 'knownDeletion'>,
    merged_into?: object,
  ): void {
    const deleted = {
      ...this.termsOf({ ...row, revision: ++this.count }),
      ...(this.profile.updatedAt === 'all' ? { updated_at: this.clock() } : {}),
      ...(merged_into ? { merged_into } : {}),
    };
    this.send({ name: row.name, person: row.person }, { deleted });
  }

  private add(name: string, more: Partial<Row> = {}): Row {
    const revision = ++this.count;
    const person = more.person ?? ++this.count;
    const row = {
      name,
      person,
      value: ++this.count,
      revision,
      firstRevision: revision,
      updatedAt: this.clock(),
      ...more,
    };
    this.rows.set(name, row);
    this.ofApp.add(person);
    this.sendRow(row);
    return row;
  }

  private touch(row: Row, value = ++this.count): void {
    Object.assign(row, { value, revision: ++this.count, updatedAt: this.clock() });
    this.sendRow(row);
  }

  private drop(row: Row, merged_into?: object): void {
    this.rows.delete(row.name);
    this.past.set(row.name, row.person);
    this.dropped.add(row.person);
    if (row.id !== undefined) this.deletedIds.add(row.id);
    this.sendDeletion(row, merged_into);
  }

  /** Sends a row again as one of which the app knows that it is there after a deletion. */
  private sendAgain(row: Row, deletedAt: string | null | undefined): void {
    const known = row.knownDeletion ?? '';
    if (deletedAt != null && deletedAt > known) row.knownDeletion = deletedAt;
    this.touch(row, row.value);
  }

  private insert = (): void => {
    const free = [0, 1, 2, 3].map((nth) => `name ${nth}`).filter((name) => !this.rows.has(name));
    const name = this.profile.names === 'source_id' ? `name ${++this.count}` : this.pick(free);
    if (name !== undefined) this.add(name);
  };

  private edit = (): void => {
    const row = this.pick(this.rows.values());
    if (row) this.touch(row);
  };

  private remove = (): void => {
    const row = this.pick(this.rows.values());
    if (row) this.drop(row);
  };

  private again = (): void => {
    const name = this.pick([...this.past.keys()].filter((one) => !this.rows.has(one)));
    if (name !== undefined) this.add(name);
  };

  private replace = (): void => {
    const row = this.pick(this.rows.values());
    if (!row || this.profile.names === 'source_id') return;
    this.drop(row);
    this.add(row.name);
  };

  private ahead = (): void => {
    const row = this.pick(this.rows.values());
    if (!row || !this.profile.updatedAt) return;
    Object.assign(row, { value: ++this.count, revision: ++this.count, updatedAt: this.clock() });
    this.sendRow(row, new Date(Date.now() + 10 * 365 * 24 * 3600 * second).toISOString());
    this.touch(row);
  };

  private merge = (): void => {
    const [row, into] = [this.pick(this.rows.values()), this.pick(this.rows.values())];
    if (!this.profile.merges || !row || !into || row === into) return;
    this.drop(row, { source_id: into.name, first_revision: into.firstRevision });
  };

  /** The app takes a message, which may come again, and in any order. */
  private hear = (): void => {
    const message = this.pick(this.outbox);
    if (!message) return;
    const isLast = this.isDraining || this.chance(0.8);
    if (this.take(message) !== 'later' && isLast) this.outbox = this.outbox.filter((one) => one !== message);
  };

  private take(message: OutboxMessage): 'later' | undefined {
    if (message.type === 'refusal') return this.answer(message);
    const { id, source_id, external_id, revision } = message.resource;
    const name = this.profile.names === 'source_id' ? source_id : external_id;
    const own = [...this.rows.values()].find((row) => row.id === id);
    if (message.type !== 'contact.deleted') {
      if (
        own ||
        this.deletedIds.has(id) ||
        (this.profile.names === 'source_id' ? source_id !== null : name === null)
      )
        return undefined;
      if (name !== null && this.rows.has(name))
        return this.rows.get(name)?.id === undefined ? undefined : 'later';
      const [person, value] = String(message.data?.note).split(' ').map(Number) as [number, number];
      this.add(name ?? `name ${++this.count}`, { id, person, value });
      this.ofApp.delete(person);
      return undefined;
    }
    this.deletedIds.add(id);
    const row = own ?? this.rows.get(name ?? '');
    if (!row) return undefined;
    const isSame = own !== undefined || (this.profile.revision && row.firstRevision <= (revision ?? -1));
    if (message.origin?.kind !== 'product') {
      // Without revisions, a person looks whether it is that one.
      if (isSame || (!this.profile.revision && this.erased.has(row.person))) this.drop(row);
    } else if (own) this.drop(row);
    else if (
      (row.knownDeletion ?? '') < message.timestamp &&
      !this.profile.revision &&
      this.profile.updatedAt !== 'all'
    )
      this.sendAgain(row, message.timestamp);
    return undefined;
  }

  private answer({ id, reason, deleted_at, deleted_id, stored }: OutboxMessage): undefined {
    const { row: sent, body } = this.messages.get(id) as InboxMessage;
    const row = this.rows.get(sent.name);
    if (stored) {
      if (row) this.touch(row, row.value);
    } else if (reason === 'contradiction' || reason === 'other_record') this.mend(sent);
    else if ('deleted' in body) {
      if (!row && reason === 'deletion_unproven')
        this.sendDeletion({ ...sent, knownDeletion: deleted_at as string });
    } else if (row) {
      const isOfDeleted = row.id !== undefined && row.id === deleted_id;
      if (isOfDeleted || (reason === 'deleted_here' && this.erased.has(row.person))) this.drop(row);
      else this.sendAgain(row, deleted_at);
    }
    return undefined;
  }

  /** A person looks at what contradicts itself, and sets it right. */
  private mend(sent: Pick<Row, 'name' | 'person'>): void {
    const row = this.rows.get(sent.name);
    const { deleted_at: deletedAt, deleted_by } = this.noteAt(sent.name) ?? {};
    if (!row) {
      const person = this.past.get(sent.name) ?? sent.person;
      this.sendDeletion({ name: sent.name, person, knownDeletion: deletedAt });
      return;
    }
    const isErased = deleted_by === 'operator' && this.erased.has(row.person);
    const isDeleted = isErased || (row.id !== undefined && this.seen.get(row.id)?.deleted_at !== undefined);
    if (isDeleted) this.drop(row);
    else this.sendAgain(row, deletedAt);
  }

  /** Compares both in the end. */
  private check(): void {
    const isOrdered = this.profile.revision !== undefined || this.profile.updatedAt !== undefined;
    const persons = new Set([...this.rows.values()].map(({ person }) => person));
    for (const row of this.rows.values()) {
      if (!this.profile.outbox && (this.told.has(row.person) || this.told.has(row.name))) continue;
      const record = this.recordOf(row.name);
      if (!record) throw new Violation('a row has no record, and nobody is told');
      if (personIn(record.note) !== row.person)
        throw new Violation('a record is of another person than its row');
      if (isOrdered && record.note !== noteOf(row)) throw new Violation('a record is not as its row');
    }
    for (const record of this.living) {
      const name = record[this.profile.names] as string | undefined;
      const person = personIn(record.note);
      if (!this.profile.outbox && (this.told.has(person) || this.told.has(name ?? ''))) continue;
      if (
        this.persons.get(record.id as string)?.size !== 1 &&
        [...(this.persons.get(record.id as string) ?? [])].some((one) => this.erased.has(one))
      )
        throw new Violation('a record is of a deleted person and of another');
      if (
        !persons.has(person) &&
        (record.created_by !== 'client' || this.profile.outbox) &&
        (this.profile.outbox || this.ofApp.has(person))
      )
        throw new Violation('a record has no row, and nobody is told');
    }
    const { count = 0 } = this.database.get(counterKey(ref)) ?? {};
    const { count: deleted = 0 } = this.database.get(deletedCountKey(ref)) ?? {};
    if (this.records.length !== count || this.records.length - this.living.length !== deleted)
      throw new Violation('the counts are wrong');
  }
}

const marshalled = (item: Item) => marshall(item, { removeUndefinedValues: true });

interface SqsCommand {
  input: { Entries: { MessageBody: string }[] };
}
