import { fieldFor, resources, wordsFor } from '../../../lib/resources/index.ts';
import type { ErasedContact } from '../../../lib/webhooks/erasure/eraseContact.ts';
import { type Field, fields } from '../columns.ts';
import type { OutOfReach } from './outOfReach.ts';

/** What a run of the command has done, and what it cannot do. */
export interface Done {
  erased: ErasedContact;
  beyond: OutOfReach;
}

/** The report as JSON, with the field names of the API. */
export const asJson = ({ erased, beyond }: Done) => ({
  ...erased,
  quoted_by: Object.fromEntries(
    beyond.quotedBy.map(([type, records]) => [fieldFor(resources[type]), records]),
  ),
  subscriptions: beyond.subscriptions,
  given_up: {
    records: beyond.givenUp.records,
    deferred_changes: beyond.givenUp.deferredChanges,
    changes: beyond.givenUp.changes,
  },
  backups_until: beyond.backupsUntil,
});

export const asText = (done: Done): string =>
  [headline(done), fields(erasedNow(done)), beyondText(done)].join('\n\n');

const headline = ({ erased: { account, id, erased_at, version, repeated } }: Done): string =>
  repeated
    ? `The contact ${id} of ${account} had been erased at ${erased_at}, as version ${version}. What this run found left:`
    : `The contact ${id} of ${account} was erased at ${erased_at}, as version ${version}:`;

const erasedNow = ({ erased }: Done): Field[] => [
  ['record', erased.repeated ? 'was blank' : 'blanked'],
  ['external id', erased.external_id ? 'free again' : 'none'],
  ['kept answer', erased.kept_answer ? 'blanked' : 'none'],
  ['events', `${erased.events} blanked`],
  ['deliveries', `what receivers answered was blanked in ${erased.deliveries}`],
  ['filters', 'follow by themselves'],
];

function beyondText({
  erased: { id },
  beyond: { quotedBy, subscriptions, givenUp, backupsUntil },
}: Done): string {
  const { records, deferredChanges, changes } = givenUp;
  return [
    'This command does not reach:',
    `- receivers: ${subscriptions.told} of ${subscriptions.all} subscriptions of the account get contact.updated. Tell the owners of the others.`,
    ...quotedBy.map(
      ([type, records]) =>
        `- ${records} ${wordsFor(resources[type])} with the contact_id ${id}, which may quote the person`,
    ),
    `- backups: they hold the contact until ${backupsUntil}`,
    `- work that was given up, of all accounts: ${records} dead letters of the inbox, ${deferredChanges} of deferred changes, ${changes} batches of failed changes. ` +
      'Redriven changes come without the person; a redriven message of the inbox creates the person again',
    '- messages in the queues, for 14 days at most, and changes in the stream, for a day: they become events without the person',
    '- the systems that send records: erase the person there first, or they create a new contact',
  ].join('\n');
}
