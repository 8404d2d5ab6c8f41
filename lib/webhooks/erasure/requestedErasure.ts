import { InputError, parseInput } from '../../aws/invocation.ts';
import { ApiError } from '../../errors/apiError.ts';
import { quoted } from '../../errors/quoted.ts';
import { idOfSource } from '../../records/get.ts';
import { contacts } from '../../resources/contacts/record.ts';
import { account, id } from '../../values/fields.ts';
import { object } from '../../values/structure.ts';
import { externalId } from '../../values/texts/texts.ts';
import { type ErasedContact, eraseContact } from './eraseContact.ts';

const erasureRequest = () =>
  object({
    account: account(),
    source_id: externalId().optional(),
    id: id(contacts.prefix).optional(),
  }).refine(
    ({ source_id, id }) => (source_id === undefined) !== (id === undefined),
    'one of source_id and id must be given, and not both',
  );

/**
 * Erases a contact as the product demands it.
 * @param input `{account, source_id}` or `{account, id}`
 * @param deadline epoch milliseconds
 * @throws InputError also when the account has no such contact
 */
export async function eraseRequested(input: unknown, deadline: number): Promise<ErasedContact> {
  const { account, source_id, id } = parseInput(erasureRequest(), input);
  const found = id ?? (await idOfSource(contacts, account, source_id as string));
  if (found === undefined)
    throw new InputError(
      `No contact has the source_id ${quoted(source_id as string)} in the account ${account}`,
    );
  try {
    return await eraseContact(account, found, deadline);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new InputError(`${error.message} in the account ${account}`);
  }
}
