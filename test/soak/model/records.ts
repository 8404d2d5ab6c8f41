import type { Contact } from '../../../lib/resources/contacts/fields.ts';
import type { Random } from '../../simulation/random.ts';
import { numbersIn } from './content.ts';
import { Numbers } from './numbers.ts';
import { versionsMax } from './versions.ts';

/** What a writer knows of a record that it has to itself. */
export interface Known {
  /** The index of the record in these tables. */
  row: number;
  id: string;
  serial: number;
  revision: number;
  version: number;
}

/** How many random records a writer looks at before it gives up: the others may be in use. */
const looksMax = 16;

/**
 * The contacts of an account as the clients of the soak know them. At most one request at a time changes a record, and it is
 * repeated until its outcome is certain. So a record has the content that was acknowledged last, or that of the request under way.
 */
export class Records {
  private readonly rows = new Map<string, number>();
  private readonly ids: string[] = [];
  private readonly serials = new Numbers();
  private readonly revisions = new Numbers();
  private readonly versions = new Numbers();
  /** The content that was sent last, also while no answer has come. */
  private readonly sent = new Numbers();
  /** The time of the last acknowledgement, by the clock of `now`. */
  private readonly acknowledgedAt = new Numbers();
  private readonly rowOfSerial = new Numbers();
  private readonly rowAt = new Numbers();
  private readonly writing = new Set<number>();
  private readonly acknowledgedRows = new Numbers();
  private clock = 0;
  private nextSerials = { named: 2, nameless: 1 };
  /** How many creates were sent. */
  attempted = 0;
  /** How many creates are acknowledged. */
  acknowledged = 0;
  /** How many changes are acknowledged: the sum of all versions. */
  changes = 0;
  private totalSeen = 0;

  /** A time that only grows; each call is later than what happened before it. */
  now(): number {
    return ++this.clock;
  }

  /** The row of an id; it gets one when it is seen for the first time. */
  rowOf(id: string): number {
    const found = this.rows.get(id);
    if (found !== undefined) return found;
    this.rows.set(id, this.ids.length);
    return this.ids.push(id) - 1;
  }

  /** How many ids were seen, in any answer, in the feed or at a receiver. */
  get seen(): number {
    return this.ids.length;
  }

  idOf(row: number): string {
    return this.ids[row] as string;
  }

  /** The version that was acknowledged last; 0 when none was. */
  versionOf(row: number): number {
    return this.versions.get(row);
  }

  /** The number of a contact that is created next. */
  newSerial(kind: 'named' | 'nameless'): number {
    const serial = this.nextSerials[kind];
    this.nextSerials[kind] += 2;
    this.attempted += 1;
    return serial;
  }

  /** A create was acknowledged. @returns what is wrong with that */
  created(id: string, serial: number): string | undefined {
    const row = this.rowOf(id);
    const other = this.rowOfSerial.get(serial) - 1;
    if (other >= 0 && other !== row)
      return `${id} was created although ${this.ids[other]} is the same contact`;
    const first = this.serials.get(row);
    if (first !== 0 && first !== serial)
      return `${id} is the id of contact ${first} and of contact ${serial}`;
    if (first === serial) return undefined;
    this.serials.set(row, serial);
    this.rowOfSerial.set(serial, row + 1);
    this.acknowledgedRows.set(this.acknowledged++, row);
    this.acknowledge(row, 1, 1);
    return undefined;
  }

  /** A record that nobody changes at the moment, for one writer alone. Undefined when none was found. */
  take(random: Random, isFit: (known: Known) => boolean = () => true): Known | undefined {
    for (let looks = 0; looks < looksMax && this.acknowledged > 0; looks++) {
      const known = this.random(random) as Known;
      if (this.writing.has(known.row) || known.version >= versionsMax || !isFit(known)) continue;
      this.writing.add(known.row);
      this.sent.set(known.row, known.revision + 1);
      return known;
    }
    return undefined;
  }

  /** Any acknowledged record. */
  random(random: Random): Known | undefined {
    return this.acknowledged === 0
      ? undefined
      : this.known(this.acknowledgedRows.get(random.below(this.acknowledged)));
  }

  known(row: number): Known {
    return {
      row,
      id: this.idOf(row),
      serial: this.serials.get(row),
      revision: this.revisions.get(row),
      version: this.versions.get(row),
    };
  }

  /** A change was acknowledged. */
  acknowledge(row: number, revision: number, version: number): void {
    this.changes += version - this.versions.get(row);
    this.revisions.set(row, revision);
    this.versions.set(row, version);
    this.sent.set(row, Math.max(revision, this.sent.get(row)));
    this.acknowledgedAt.set(row, this.now());
    this.writing.delete(row);
  }

  /** @param since when the request began that got this answer @returns what is wrong with a contact in it */
  wrongWith(contact: Contact, since: number): string | undefined {
    const { id, version } = contact;
    const numbers = numbersIn(contact);
    if (!numbers) return `${id} has a content that nobody sent: ${JSON.stringify(contact)}`;
    const { serial, revision } = numbers;
    const row = this.rowOf(id);
    if (serial >= Math.max(...Object.values(this.nextSerials))) return `${id} was created by nobody`;
    if (this.serials.get(row) !== 0 && this.serials.get(row) !== serial)
      return `${id} is another contact now`;
    if (revision > Math.max(1, this.sent.get(row)))
      return `${id} has revision ${revision}, which nobody sent`;
    if (this.versions.get(row) === 0 || this.acknowledgedAt.get(row) > since) return undefined;
    const [knownRevision, knownVersion] = [this.revisions.get(row), this.versions.get(row)];
    if (version < knownVersion || revision < knownRevision)
      return `${id} has version ${version}, but ${knownVersion} was acknowledged`;
    const isChanged = version !== knownVersion || revision !== knownRevision;
    return isChanged && !this.writing.has(row)
      ? `${id} was changed by nobody, to version ${version}`
      : undefined;
  }

  /** @returns what is wrong with an id at a position of the list: a position keeps its record */
  wrongAt(position: number, id: string): string | undefined {
    const row = this.rowOf(id);
    const before = this.rowAt.get(position) - 1;
    this.rowAt.set(position, row + 1);
    return before >= 0 && before !== row
      ? `position ${position} has ${id}, and had ${this.ids[before]}`
      : undefined;
  }

  /** The least total that a list may have from now on. */
  totalMin(): number {
    return Math.max(this.totalSeen, this.acknowledged);
  }

  /** @param min `totalMin` when the request began @returns what is wrong with the total of a list */
  wrongTotal(total: number, min: number): string | undefined {
    this.totalSeen = Math.max(this.totalSeen, total);
    return total < min || total > this.attempted
      ? `the total is ${total}, and must be from ${min} to ${this.attempted}`
      : undefined;
  }
}
