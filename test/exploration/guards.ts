import type { IgnoredCondition } from './engine/database.ts';
import type { Edit } from './engine/edits.ts';

/** Something in the code that a protocol depends on. Without it, an exploration must find a violation. */
export interface Guard {
  name: string;
  /** The conditions that it is made of. */
  ignored?: readonly IgnoredCondition[];
  /** How it is taken out where it is not a condition. */
  edits?: readonly Edit[];
}

/** How a protocol is explored. */
export interface Protocol {
  name: string;
  /** Changes that make the space of states smaller, and no promise weaker. */
  bounds: readonly Edit[];
  guards: readonly Guard[];
}

const position = /^\d{12}$/;

const creates: Protocol = {
  name: 'creates',
  bounds: [
    // A ticket stays in its partition, so each partition works as one alone.
    {
      file: 'lib/records/recordKeys.ts',
      from: 'const queuePartitionCount = 4;',
      to: 'const queuePartitionCount = 1;',
    },
  ],
  guards: [
    // Either of the two refuses what the other one refuses.
    {
      name: 'the length is as it was read, and the position is free',
      ignored: [
        { table: 'records', attributes: ['count'] },
        { table: 'records', sk: position, attributes: ['pk'] },
      ],
    },
    {
      name: 'a draft that is committed has no outcome yet',
      ignored: [{ table: 'records', kind: 'Put', sk: /^outcome$/, attributes: ['outcome'] }],
    },
    {
      name: 'a draft that is withdrawn has no outcome yet',
      ignored: [{ table: 'records', kind: 'Update', sk: /^outcome$/, attributes: ['outcome'] }],
    },
    {
      name: 'an external id has no record yet',
      ignored: [{ table: 'records', sk: /^pointer$/, attributes: ['pk'] }],
    },
    {
      name: 'a request has no answer yet',
      ignored: [{ table: 'records', sk: /^answer$/, attributes: ['pk', 'expires_at'] }],
    },
  ],
};

const maintain = 'lib/filterIndex/maintain.ts';

const filters: Protocol = {
  name: 'filters',
  bounds: [
    // Positions are only added to the sets of times of changes, and an item is written as every other is.
    {
      file: 'lib/filterIndex/buckets.ts',
      from: "export const levels = ['month', 'day', 'hour'] as const;",
      to: "export const levels = [] as unknown as readonly ['month', 'day', 'hour'];",
    },
    // Which filters are complete is noted beside the sets, once for each process.
    { file: 'lib/filterIndex/completeFilters.ts', from: 'if (noted.get(ref)) return;', to: 'return;' },
  ],
  guards: [
    {
      name: 'the fence: an item is written also when nothing in it changes',
      edits: [
        {
          file: maintain,
          from: 'return toEvaluate.size > 0 || isLonger ? content.encoded() : undefined;',
          to: 'return Buffer.compare(content.encoded(), before ?? new Uint8Array()) === 0 ? undefined : content.encoded();',
        },
      ],
    },
    { name: 'an item is as it was read', ignored: [{ table: 'index', attributes: ['version'] }] },
    {
      name: 'the records are read after the items',
      edits: [
        {
          file: maintain,
          from: '  const storedAt = await readByKey<StoredItem>(',
          to: '  const current = await source.entriesAt(new Set(items.flatMap(({ toEvaluate }) => [...toEvaluate])));\n  const storedAt = await readByKey<StoredItem>(',
        },
        {
          file: maintain,
          from: '  const current = await source.entriesAt(new Set(items.flatMap(({ toEvaluate }) => [...toEvaluate])));\n  const ttl',
          to: '  const ttl',
        },
      ],
    },
    {
      name: 'a change names the items that its record has left',
      edits: [
        {
          file: 'lib/filterIndex/indexEntries.ts',
          from: '...earlier.filter((entry) => !now.has(fullNameOf(entry))),',
          to: '',
        },
      ],
    },
  ],
};

const pageIsFree: IgnoredCondition = { table: 'index', kind: 'Put', pk: /#changes$/, attributes: ['pk'] };

const feedIsAsRead: IgnoredCondition = {
  table: 'index',
  kind: 'Update',
  pk: /#changes$/,
  attributes: ['pk', 'count'],
};

const versionsAreAsRead: IgnoredCondition = { table: 'index', pk: /#numbered#/, attributes: ['pk', 'rev'] };

const changes: Protocol = {
  name: 'changes',
  bounds: [],
  guards: [
    // Each append of an account writes all three kinds of items, so one of the conditions stands in for another.
    { name: 'the length is as it was read, and the number is free', ignored: [feedIsAsRead, pageIsFree] },
    {
      name: 'length, number and numbered versions are as they were read',
      ignored: [feedIsAsRead, pageIsFree, versionsAreAsRead],
    },
    {
      name: 'a version that has a number gets no other one',
      edits: [
        {
          file: 'lib/feed/appendChanges.ts',
          from: 'if (version <= (highest.get(resource_id) ?? groupOf(change).versionOf(change.position))) return false;',
          to: 'if (version <= (highest.get(resource_id) ?? 0)) return false;',
        },
      ],
    },
    {
      name: 'the changes of a record are numbered in the order of its versions',
      edits: [
        {
          file: 'lib/feed/feedEntry.ts',
          from: 'own.sort((a, b) => a.entry.version - b.entry.version);',
          to: 'own.slice();',
        },
      ],
    },
  ],
};

const sessions: Protocol = {
  name: 'sessions',
  bounds: [],
  guards: [
    {
      name: 'a link is used up once',
      ignored: [{ table: 'sessions', kind: 'Delete', attributes: ['expires_at'] }],
    },
    {
      name: 'a use is noted only of a session that is there',
      ignored: [{ table: 'sessions', kind: 'Update', attributes: ['pk', 'seen_at'] }],
    },
    {
      name: 'sessions are ended until there is none',
      edits: [
        {
          file: 'lib/console/sessions.ts',
          from: 'return pointers.length === 0 ? {} : undefined;',
          to: 'return {};',
        },
      ],
    },
    {
      name: 'a session is stored with its pointer',
      edits: [
        {
          file: 'lib/console/sessions.ts',
          from: '    sessions.put({ ...pointerKey(item, hash), hash, kind, ttl }),\n',
          to: '',
        },
      ],
    },
  ],
};

const revocation: Protocol = {
  name: 'revocation',
  bounds: [
    // How often a key was used decides nothing.
    {
      file: 'lib/console/keyViews.ts',
      from: 'const uses = await knownUses(keys);',
      to: 'const uses = new Map();',
    },
  ],
  guards: [
    { name: 'a key is as it was read', ignored: [{ table: 'keys', attributes: ['revision'] }] },
    {
      name: 'the secrets are written with their key',
      edits: [
        {
          file: 'lib/keys/storedKeys.ts',
          from: '...key.secrets.map((secret) => keys.put(',
          to: '...key.secrets.slice(0, 1).map((secret) => keys.put(',
        },
      ],
    },
  ],
};

const leases: Protocol = {
  name: 'leases',
  bounds: [],
  guards: [
    {
      name: 'the phase is as it was read',
      ignored: [{ table: 'webhooks', sk: position, attributes: ['phase_number'] }],
    },
    {
      name: 'no delivery has come to rest since the step was begun',
      ignored: [{ table: 'webhooks', attributes: ['recovery.steps'] }],
    },
    {
      name: 'an attempt ends before its lease',
      edits: [
        {
          file: 'lib/webhooks/deliveries/attempt.ts',
          from: 'if (Date.now() > Date.parse(until) - attemptMs) return comeBack(delivery, until);',
          to: '',
        },
      ],
    },
    {
      name: 'another attempt follows one that was asked for meanwhile',
      edits: [
        {
          file: 'lib/webhooks/deliveries/attempt.ts',
          from: 'if (phase.again)',
          to: 'if (false)',
        },
      ],
    },
  ],
};

const rules = 'lib/records/mergeMessage.ts';

const merge: Protocol = {
  name: 'merge',
  bounds: [],
  guards: [
    {
      name: 'a record is as it was read',
      ignored: [{ table: 'records', sk: position, attributes: ['version'] }],
    },
    {
      name: 'no other revision was sent since the record was read',
      ignored: [{ table: 'records', sk: position, attributes: ['revision'] }],
    },
    {
      name: 'a message of an older revision is ignored',
      edits: [{ file: rules, from: 'revision < record.revision', to: 'false' }],
    },
    {
      name: 'the revision starts over with another row of the product',
      edits: [{ file: rules, from: '!isLink && isOlder', to: 'isOlder' }],
    },
    {
      name: 'an edit that the product did not know stays',
      edits: [{ file: rules, from: 'edit > knownVersion;', to: 'false;' }],
    },
    {
      name: 'what clients write is noted',
      edits: [
        {
          file: 'lib/records/edits.ts',
          from: 'if (paths.length === 0) return edits;',
          to: 'return edits;',
        },
      ],
    },
  ],
};

const deletions: Protocol = {
  name: 'deletions',
  bounds: [],
  guards: [
    {
      name: 'a record is deleted as it was read',
      ignored: [
        {
          table: 'records',
          kind: 'Put',
          sk: position,
          attributes: ['version', 'source_id', 'revision', 'deleted_at'],
        },
      ],
    },
    {
      name: 'the set of the deleted positions is as it was read',
      ignored: [{ table: 'records', kind: 'Put', pk: /#deleted#/, attributes: ['pk', 'rev'] }],
    },
    {
      name: 'deleted positions are counted after the counter is read',
      edits: [
        {
          file: 'lib/records/deletion/deletedSet.ts',
          from: 'const { count, hasDeleted } =',
          to: 'const counted = await readDeletedCount(ref);\n const { count, hasDeleted } =',
        },
        {
          file: 'lib/records/deletion/deletedSet.ts',
          from: 'set.size === (await readDeletedCount(ref))',
          to: 'set.size === counted',
        },
      ],
    },
    {
      name: 'the item of a row is as it was read',
      ignored: [{ table: 'records', kind: 'Update', pk: /#source#/, attributes: ['id', 'deleted_at'] }],
    },
  ],
};

const externalDeletions: Protocol = {
  name: 'externalDeletions',
  bounds: [],
  guards: [
    {
      name: 'a create under an external id checks that no deletion was noted since',
      ignored: [
        { table: 'records', kind: 'ConditionCheck', pk: /#source#/, attributes: ['id', 'deleted_at'] },
      ],
    },
    {
      name: 'a deletion that is noted checks that no record got the external id since',
      ignored: [{ table: 'records', kind: 'ConditionCheck', pk: /#external#/, attributes: ['pk'] }],
    },
  ],
};

const redactions: Protocol = {
  name: 'redactions',
  bounds: [],
  guards: [
    {
      name: 'the transaction of the deletion hides the events',
      edits: [
        {
          file: 'lib/records/deletion/deleteRecord.ts',
          from: '    hideEvents(account, id, version),\n',
          to: '',
        },
      ],
    },
    {
      name: 'what was stored looks again',
      edits: [
        {
          file: 'lib/webhooks/events/accountChanges.ts',
          from: 'await this.redactHidden(stored);',
          to: '',
        },
      ],
    },
    {
      name: 'what is found stored looks again',
      edits: [
        {
          file: 'lib/webhooks/events/accountChanges.ts',
          from: 'await this.redactHidden(stored);',
          to: 'if (!refused) await this.redactHidden(stored);',
        },
      ],
    },
    {
      name: 'a deletion that is found stored is redacted',
      edits: [
        {
          file: 'lib/webhooks/events/accountChanges.ts',
          from: 'await this.finish(recordsOf(pending, ({ event }) => ids.has(event.id)));',
          to: 'if (!refused) await this.finish(recordsOf(pending, ({ event }) => ids.has(event.id)));\nelse for (const { record, event } of pending) if (ids.has(event.id)) this.left.delete(record);',
        },
      ],
    },
  ],
};

/** The protocols, in the order in which they are explored. */
export const protocols: readonly Protocol[] = [
  creates,
  filters,
  changes,
  leases,
  sessions,
  revocation,
  merge,
  deletions,
  externalDeletions,
  redactions,
];
