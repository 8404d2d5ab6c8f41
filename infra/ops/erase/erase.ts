import { Argument } from 'commander';
import { ApiError } from '../../../lib/apiError.ts';
import { type Erasure, eraseRecord } from '../../../lib/records/erasure/eraseRecord.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import { eraseEvents } from '../../../lib/webhooks/erasure/eraseEvents.ts';
import { OpsCommand } from '../command.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import { OpsError } from '../opsError.ts';
import { parseAccount } from '../values.ts';
import { outOfReach } from './outOfReach.ts';
import { ownerOf } from './owner.ts';
import { asJson, asText } from './report.ts';

// npm run ops -- erase contact con_…

interface Options extends Target {
  account?: string;
  json?: boolean;
}

/** Longer than other writes of the same items go on. */
const patienceMs = 60_000;

export const program = targetOptions(new OpsCommand('erase'))
  .description(
    'Erase what identifies a person: all fields of the contact, its external id, and what events, deliveries and kept answers ' +
      'hold of it. The contact stays, blank, at its place in the lists. Nothing brings the data back. Subscriptions get contact.updated. ' +
      'It can be run again safely, also after it was killed: it does what is left.',
  )
  .addArgument(new Argument('<what>').choices(['contact']))
  .addArgument(new Argument('<id>', 'the id of the contact, con_…'))
  .option(
    '--account <account>',
    'the account of the contact; by default it is looked for in all accounts that have a key',
    parseAccount,
  )
  .option('--json', 'print JSON')
  .action(erase);

async function erase(_what: 'contact', id: string, options: Options): Promise<void> {
  const connection = await connect(options);
  await connection.useIds();
  const account = options.account ?? (await ownerOf(contacts, id));
  if (account === undefined)
    throw new OpsError(
      `No account that has a key has the contact ${id}. Check the id, or name the account with --account.`,
    );
  // The record comes first: each version before this one has its event, or gets it without the person.
  const record = await eraseContact(account, id);
  const events = await eraseEvents(account, { id, before: record.version }, Date.now() + patienceMs);
  const done = {
    account,
    id,
    record,
    events,
    beyond: await outOfReach({ account, id }, record.erasedAt, connection.givenUp()),
  };
  console.log(options.json ? JSON.stringify(asJson(done)) : asText(done));
}

async function eraseContact(account: string, id: string): Promise<Erasure> {
  try {
    return await eraseRecord(contacts, account, id, Date.now() + patienceMs);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new OpsError(`${error.message} in the account ${account}.`);
  }
}
