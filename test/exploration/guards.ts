import type { Edit } from './engine/edits.ts';

/** Something in the code that a protocol depends on. Without it, an exploration must find a violation. */
export interface Guard {
  name: string;
  /** How it is taken out. */
  edits: readonly Edit[];
}

/** How a protocol is explored. */
export interface Protocol {
  name: string;
  /** Changes that make the space of states smaller, and no promise weaker. */
  bounds: readonly Edit[];
  guards: readonly Guard[];
}

const commit = 'lib/records/create/commit.ts';
const outcomes = 'lib/records/create/outcomes.ts';

const positionIsFree: Edit = {
  file: commit,
  from: `      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
  const { external_id, id } = record;`,
  to: `      },
    },
  };
  const { external_id, id } = record;`,
};

const lengthIsAsRead: Edit = {
  file: commit,
  from: "ConditionExpression: count === 0 ? 'attribute_not_exists(#count)' : '#count = :count',",
  to: '',
};

const creates: Protocol = {
  name: 'creates',
  bounds: [
    // A ticket is in one partition for ever, so each works as one alone.
    {
      file: 'lib/records/keys.ts',
      from: 'const queuePartitionCount = 4;',
      to: 'const queuePartitionCount = 1;',
    },
  ],
  guards: [
    // Either of the two refuses what the other one refuses.
    {
      name: 'the length is as it was read, and the position is free',
      edits: [lengthIsAsRead, positionIsFree],
    },
    {
      name: 'a draft that is committed has no outcome yet',
      edits: [
        {
          file: outcomes,
          from: 'Item: { ...outcomeKey(ref, ticket), outcome, ttl: timeToLive() },\n    ConditionExpression: hasNone,',
          to: 'Item: { ...outcomeKey(ref, ticket), outcome, ttl: timeToLive() },',
        },
      ],
    },
    {
      name: 'a draft that is withdrawn has no outcome yet',
      edits: [
        {
          file: outcomes,
          from: "UpdateExpression: 'SET outcome = :withdrawn, #ttl = :ttl',\n    ConditionExpression: hasNone,",
          to: "UpdateExpression: 'SET outcome = :withdrawn, #ttl = :ttl',",
        },
      ],
    },
    {
      name: 'an external id has no record yet',
      edits: [
        {
          file: commit,
          from: "Item: { ...pointerKey(ref, externalId), id },\n    ConditionExpression: 'attribute_not_exists(pk)',",
          to: 'Item: { ...pointerKey(ref, externalId), id },',
        },
      ],
    },
    {
      name: 'a request has no answer yet',
      edits: [
        {
          file: 'lib/dynamodb/idempotency.ts',
          from: "ConditionExpression: 'attribute_not_exists(pk) OR expires_at < :now',",
          to: '',
        },
      ],
    },
  ],
};

const maintain = 'lib/index/maintain.ts';

const filters: Protocol = {
  name: 'filters',
  bounds: [
    // Positions are only added to the sets of times of changes, and an item is written as every other is.
    {
      file: 'lib/index/buckets.ts',
      from: "export const levels = ['month', 'day', 'hour'] as const;",
      to: "export const levels = [] as unknown as readonly ['month', 'day', 'hour'];",
    },
  ],
  guards: [
    {
      name: 'the fence: an item is written also when nothing in it changes',
      edits: [
        {
          file: maintain,
          from: 'return evaluated.size > 0 || isLonger ? content.encoded() : undefined;',
          to: 'return Buffer.compare(content.encoded(), before ?? new Uint8Array()) === 0 ? undefined : content.encoded();',
        },
      ],
    },
    {
      name: 'an item is as it was read',
      edits: [
        {
          file: 'lib/dynamodb/versions.ts',
          from: 'const where = { ...key, version };',
          to: 'const where = { ...key };',
        },
      ],
    },
    {
      name: 'the records are read after the items',
      edits: [
        {
          file: maintain,
          from: '  const stored = await readMany(',
          to: '  const truth = await source.entriesAt(new Set(items.flatMap(({ evaluated }) => [...evaluated])));\n  const stored = await readMany(',
        },
        {
          file: maintain,
          from: '  const truth = await source.entriesAt(new Set(items.flatMap(({ evaluated }) => [...evaluated])));\n  const ttl',
          to: '  const ttl',
        },
      ],
    },
    {
      name: 'a change names the items that its record has left',
      edits: [
        {
          file: 'lib/index/entries.ts',
          from: '...earlier.filter((entry) => !now.has(fullNameOf(entry))),',
          to: '',
        },
      ],
    },
  ],
};

const feedState = 'lib/changes/feedState.ts';

const pageIsFree: Edit = {
  file: feedState,
  from: "ConditionExpression: 'attribute_not_exists(pk)',",
  to: '',
};

const feedIsAsRead: Edit = {
  file: 'lib/changes/head.ts',
  from: "ConditionExpression: count === 0 ? 'attribute_not_exists(pk)' : '#count = :count',",
  to: '',
};

const versionsAreAsRead: Edit = {
  file: 'lib/changes/numberedVersions.ts',
  from: "ConditionExpression: this.revision === undefined ? 'attribute_not_exists(pk)' : 'rev = :rev',",
  to: '',
};

const changes: Protocol = {
  name: 'changes',
  bounds: [],
  guards: [
    // Each append of an account writes all three kinds of items, so one of the conditions stands in for another.
    { name: 'the length is as it was read, and the number is free', edits: [feedIsAsRead, pageIsFree] },
    {
      name: 'length, number and numbered versions are as they were read',
      edits: [feedIsAsRead, pageIsFree, versionsAreAsRead],
    },
    {
      name: 'a version that has a number gets no other one',
      edits: [
        {
          file: feedState,
          from: 'if (version <= (highest.get(resource_id) ?? this.groupOf(change).versionOf(change.position)))',
          to: 'if (version <= (highest.get(resource_id) ?? 0))',
        },
      ],
    },
    {
      name: 'the changes of a record are numbered in the order of its versions',
      edits: [
        {
          file: 'lib/changes/pendingChange.ts',
          from: 'own.sort((a, b) => a.entry.version - b.entry.version);',
          to: 'own.slice();',
        },
      ],
    },
  ],
};

const items = 'lib/console/sessions/items.ts';

const sessions: Protocol = {
  name: 'sessions',
  bounds: [],
  guards: [
    {
      name: 'a link is used up once',
      edits: [{ file: items, from: "ConditionExpression: 'expires_at > :liveAt',", to: '' }],
    },
    {
      name: 'a use is noted only of a session that is there',
      edits: [
        {
          file: 'lib/console/sessions/read.ts',
          from: "ConditionExpression: 'attribute_exists(pk) AND seen_at < :now',",
          to: '',
        },
      ],
    },
    {
      name: 'sessions are ended until there is none',
      edits: [
        {
          file: 'lib/console/sessions/end.ts',
          from: 'return pointers.length === 0 ? {} : undefined;',
          to: 'return {};',
        },
      ],
    },
    {
      name: 'a session is stored with its pointer',
      edits: [
        {
          file: items,
          from: '    { Put: { TableName, Item: { ...pointerKey(item, hash), hash, kind, ttl } } },\n',
          to: '',
        },
      ],
    },
  ],
};

const store = 'lib/keys/store.ts';

const revocation: Protocol = {
  name: 'revocation',
  bounds: [],
  guards: [
    {
      name: 'a key is as it was read',
      edits: [{ file: store, from: "ConditionExpression: 'revision = :read',", to: '' }],
    },
    {
      name: 'the secrets are written with their key',
      edits: [
        {
          file: store,
          from: '...key.secrets.map((secret) => ({',
          to: '...key.secrets.slice(0, 1).map((secret) => ({',
        },
      ],
    },
  ],
};

const claim = 'lib/webhooks/deliveries/claim.ts';
const recordAttempt = 'lib/webhooks/deliveries/recordAttempt.ts';

const claims: Protocol = {
  name: 'claims',
  bounds: [],
  guards: [
    {
      name: 'no other claim lasts',
      edits: [
        {
          file: claim,
          from: ' AND (attribute_not_exists(claimed_until) OR claimed_until < :now)',
          to: '',
        },
      ],
    },
    {
      name: 'no attempt was made since the delivery was read',
      edits: [{ file: claim, from: 'AND attempt_count = :attempts ', to: '' }],
    },
    {
      name: 'an attempt is recorded with its own claim',
      edits: [
        {
          file: recordAttempt,
          from: '`#claim = :mine AND ${sameRedelivery}',
          to: '`${sameRedelivery}',
        },
      ],
    },
    {
      name: 'no redelivery was asked for since the delivery was read',
      edits: [{ file: recordAttempt, from: '`#claim = :mine AND ${sameRedelivery}', to: '`#claim = :mine' }],
    },
  ],
};

/** The protocols, in the order in which they are explored. */
export const protocols: readonly Protocol[] = [creates, filters, changes, claims, sessions, revocation];
