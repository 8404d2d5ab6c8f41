import { Argument, InvalidArgumentError, Option } from 'commander';
import { type ResourcePath, typeOfPath } from '../../lib/contract/inboxContract.ts';
import type { Item } from '../../lib/dynamodb/item.ts';
import { deleteNamed } from '../../lib/records/deletion/deleteNamed.ts';
import { readById } from '../../lib/records/get.ts';
import { isDeleted, type Tombstone } from '../../lib/records/recordItem.ts';
import { byOperator } from '../../lib/records/recordOrigin.ts';
import { collectionOf } from '../../lib/resources/collections.ts';
import { type ResourceType, resources, resourceTypes } from '../../lib/resources/index.ts';
import { emailForm } from '../../lib/schemas/texts.ts';
import type { DeletedRecord } from '../../lib/webhooks/redaction/redactionTurn.ts';
import { OpsCommand } from '../terminal/command.ts';
import { OpsError } from '../terminal/opsError.ts';
import { countOf } from '../terminal/output.ts';
import { Progress } from '../terminal/progress.ts';
import { connect, type Target, targetOptions } from './connection.ts';
import { parseAccount } from './optionValues.ts';
import { countPositions, recordItems } from './recordItems.ts';
import { readRedactions, untilRedacted } from './redactions.ts';

// npm run ops -- delete contacts con_… --also orders,event-registrations

interface Options extends Target {
  account: string;
  also?: ResourcePath[];
  wait: boolean;
}

const paths = resourceTypes.map((type) => resources[type].path);

export const program = targetOptions(new OpsCommand('delete'))
  .description(
    'Delete a record, and with it all that is known of a person: fields, external id, and what events, deliveries and kept answers hold. ' +
      'Nothing brings it back. The command names what else quotes a contact: orders and registrations with its id or its e-mail address in any field. ' +
      'Nobody is shown or sent the content of earlier events from then on; the command waits until nothing of it is stored. ' +
      'It can be run again safely.',
  )
  .addArgument(new Argument('<resource>').choices(paths))
  .argument('<id>', 'the id of the record')
  .requiredOption('--account <account>', 'the account of the record', parseAccount)
  .addOption(
    new Option(
      '--also <path,path>',
      'also delete the records that name the contact as their person',
    ).argParser(parseResources),
  )
  .option('--no-wait', 'do not wait until the content of earlier events is redacted')
  .action(remove);

function parseResources(given: string): ResourcePath[] {
  const names = given.split(',');
  if (names.some((name) => !paths.includes(name as ResourcePath)))
    throw new InvalidArgumentError(`It is a list of ${paths.join(', ')}, with commas between them.`);
  return names as ResourcePath[];
}

/** Longer than other writers use the same items. */
const retryForMs = 60_000;

/** @returns the tombstone; `unchanged` if it existed before @throws OpsError if there is no such record */
async function deleteById(
  account: string,
  type: ResourceType,
  recordId: string,
): Promise<{ kind: 'deleted' | 'unchanged' } & Tombstone> {
  const options = { origin: byOperator, deadline: Date.now() + retryForMs };
  const result = await deleteNamed({ account, type }, { recordId }, options);
  if (result.kind === 'refused') throw new OpsError(result.reason);
  return result as Awaited<ReturnType<typeof deleteById>>;
}

async function remove(resource: ResourcePath, id: string, options: Options): Promise<void> {
  const { account, also = [], json = false } = options;
  const connection = await connect(options);
  await connection.useIds();
  const type = typeOfPath[resource];
  const item = await readById({ account, type }, id);
  if (!item) throw new OpsError(`The account ${account} has no ${id}. Check both.`);
  // Read before the record is deleted, because its e-mail address is deleted with it.
  const quotes = type === 'contact' ? await quotesOf(account, item) : [];
  const tombstones: DeletedRecord[] = [];
  for (const quote of quotes)
    if (quote.of_person && also.includes(quote.resource)) {
      const { version } = await deleteById(account, typeOfPath[quote.resource], quote.id);
      tombstones.push({ id: quote.id, version });
      quote.deleted = true;
    }
  const { kind, version } = await deleteById(account, type, id);
  tombstones.push({ id, version });
  const left = quotes.filter(({ deleted }) => !deleted);
  const stateOf = async () => {
    const state = await (options.wait ? untilRedacted : readRedactions)(account, tombstones);
    if (options.wait && !state.redacted) process.exitCode = 1;
    return state;
  };
  if (json) {
    const state = await stateOf();
    console.log(JSON.stringify({ account, resource, id, result: kind, version, quotes, ...state }));
    return;
  }
  console.log(
    [
      `${id} of ${account} ${kind === 'deleted' ? 'is deleted' : 'was deleted before'}, with ${countOf(quotes.length - left.length, 'record')} that quoted it.`,
      ...(left.length > 0
        ? [
            `${countOf(left.length, 'record')} may quote the person. --also deletes those of the person; correct the others in your product:`,
          ]
        : []),
      ...left.map(
        ({ id, by, of_person }) => `  ${id}  ${by.join(', ')}${of_person ? '  of the person' : ''}`,
      ),
      'Subscribers and the outbox get the deletion. Backups have the record for 35 days more. Delete the row of your product, too.',
    ].join('\n'),
  );
  const { redacted, left: versions, stuck } = await stateOf();
  if (redacted) console.log('The content of its earlier events is redacted.');
  else
    console.log(
      [
        `The content of ${countOf(versions, 'earlier version')} is hidden from everybody, and not redacted yet.`,
        ...Object.entries(stuck).map(
          ([record, some]) => `Events of ${record} cannot be redacted: versions ${some.join(', ')}`,
        ),
      ].join('\n'),
    );
}

/** A record that quotes a contact. */
interface Quote {
  resource: ResourcePath;
  id: string;
  /** The paths of the fields, such as `contact_id`, `customer.email` or `note`. */
  by: string[];
  /** True if one of these fields names the person. False if only a note quotes the person, because the record may be about somebody else. */
  of_person: boolean;
  deleted: boolean;
}

/**
 * Returns the records of other types that name a contact or contain its e-mail address. It reads all of them, because no index contains the
 * addresses.
 */
async function quotesOf(account: string, contact: Item): Promise<Quote[]> {
  const email = contact.email as string | undefined;
  const types = resourceTypes.filter((type) => type !== 'contact');
  const progress = new Progress('records', await countPositions(account, types));
  const quotes: Quote[] = [];
  for (const type of types) {
    const naming = emailFields(type);
    for await (const items of recordItems(account, type)) {
      progress.advance(items.length);
      for (const item of items.filter((one) => !isDeleted(one))) {
        const texts = email === undefined ? [] : [...textsWith(email, item)];
        const isNamed = item.contact_id === contact.id;
        // Another person's field may contain a longer address that ends with this one.
        const own = texts.filter(({ path, isWhole }) => isWhole || !naming.has(path));
        const by = [...new Set([...(isNamed ? ['contact_id'] : []), ...own.map(({ path }) => path)])];
        if (by.length > 0)
          quotes.push({
            resource: resources[type].path,
            id: item.id as string,
            by,
            of_person: isNamed || by.some((path) => naming.has(path)),
            deleted: false,
          });
      }
    }
  }
  progress.end();
  return quotes;
}

/** Returns the fields with an e-mail address by which a list finds a person's records. */
const emailFields = (type: ResourceType): Set<string> =>
  new Set(
    collectionOf(type).filters.values.flatMap(({ source }) => {
      const [path = '', kind] = (source ?? '').split(' ');
      return kind === 'email' ? [path] : [];
    }),
  );

/** Yields the texts in a value that contain an address, by their paths. An entry of a list has the path of its list. */
function* textsWith(
  email: string,
  value: unknown,
  path: readonly string[] = [],
): Generator<{ path: string; isWhole: boolean }> {
  // Lists compare addresses in this form. Inside a longer text, a domain keeps its own letters.
  const [text, form] = [typeof value === 'string' ? emailForm(value) : '', emailForm(email)];
  if (text.includes(form) || text.includes(email.toLowerCase()))
    yield { path: path.join('.'), isWhole: text === form };
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      yield* textsWith(email, inner, Array.isArray(value) ? path : [...path, name]);
}
