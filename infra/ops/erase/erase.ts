import { Argument } from 'commander';
import { ApiError } from '../../../lib/errors/apiError.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import { type ErasedContact, eraseContact } from '../../../lib/webhooks/erasure/eraseContact.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
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
const limitMs = 60_000;

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
  const erased = await eraseOrSayWhyNot(account, id);
  const done = {
    erased,
    beyond: await outOfReach({ account, id }, erased.erased_at, connection.givenUp()),
  };
  console.log(options.json ? JSON.stringify(asJson(done)) : asText(done));
}

async function eraseOrSayWhyNot(account: string, id: string): Promise<ErasedContact> {
  try {
    return await eraseContact(account, id, Date.now() + limitMs);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new OpsError(`${error.message} in the account ${account}.`);
  }
}
