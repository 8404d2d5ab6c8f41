import { type Api, ApiError, bodyOf, type Schema } from './api.ts';
import { walk, walkBehind } from './walk.ts';

type Contact = Schema<'Contact'>;

export const allContacts = (api: Api): AsyncGenerator<Contact> =>
  walk(async (query) => bodyOf(await api.GET('/contacts', { params: { query } })));

/** The contacts that have all of the tags. */
export const contactsWith = (api: Api, tag: string[]): AsyncGenerator<Contact> =>
  walkBehind(async (query) => bodyOf(await api.GET('/contacts', { params: { query: { ...query, tag } } })));

/** The contacts with these ids, at most 100. */
export const contactsById = async (api: Api, id: string[]): Promise<Contact[]> =>
  bodyOf(await api.GET('/contacts', { params: { query: { id, limit: 100 } } })).data;

/** Creates one contact for each key, however often it is called with it within seven days. */
export async function createContact(
  api: Api,
  key: string,
  body: Schema<'ContactDraft'>,
): Promise<{ contact: Contact; replayed: boolean }> {
  const answer = await api.POST('/contacts', { params: { header: { 'Idempotency-Key': key } }, body });
  return { contact: bodyOf(answer), replayed: answer.response.headers.has('Idempotent-Replayed') };
}

const get = (api: Api, contactId: string, known?: string) =>
  api.GET('/contacts/{contactId}', {
    params: { path: { contactId }, header: known === undefined ? {} : { 'If-None-Match': known } },
  });

/** The contact as it is now; the same object when it has not changed. */
export async function refresh(api: Api, contact: Contact): Promise<Contact> {
  const answer = await get(api, contact.id, `"${contact.version}"`);
  return answer.response.status === 304 ? contact : bodyOf(answer);
}

/** Adds a tag to those that are there, and takes away none that somebody else adds at the same time. */
export async function addTag(api: Api, contactId: string, tag: string): Promise<Contact> {
  for (;;) {
    const { tags, version } = bodyOf(await get(api, contactId));
    const patch: Schema<'ContactPatch'> = { tags: [...tags, tag] };
    const { data, error, response } = await api.PATCH('/contacts/{contactId}', {
      params: { path: { contactId }, header: { 'If-Match': `"${version}"` } },
      body: patch,
    });
    // There is no body for keys that may not read contacts, and this one has just read one.
    if (data) return data;
    // With 412, somebody else was faster, so what was read is of an older version.
    if (error && response.status !== 412) throw new ApiError(error, response);
  }
}

/** States the whole of the contact with this external id. @returns undefined for a key that may not read contacts */
export async function state(
  api: Api,
  externalId: string,
  body: Schema<'ContactStatement'>,
): Promise<Contact | undefined> {
  const { data, error, response } = await api.PUT('/contacts/by-external-id/{externalId}', {
    params: { path: { externalId } },
    body,
  });
  if (error) throw new ApiError(error, response);
  return data;
}

/** States contacts, as many as one request takes, until each is stored. @returns those that were refused, with the reasons */
export async function stateAll(
  api: Api,
  contacts: Schema<'ContactInBatch'>[],
): Promise<{ external_id: string; reason: string }[]> {
  const body: Schema<'ContactBatch'> = { contacts: contacts.slice(0, 100) };
  if (body.contacts.length === 0) return [];
  const { results } = bodyOf(await api.POST('/contacts/batch', { body }));
  const withResult = body.contacts.map((contact, i) => ({ contact, ...results[i] }));
  const late = withResult.filter(({ status }) => status === 504).map(({ contact }) => contact);
  const refused = withResult.flatMap(({ contact: { external_id }, status, message = '' }) =>
    status === 400 ? [{ external_id, reason: message }] : [],
  );
  return [...refused, ...(await stateAll(api, [...late, ...contacts.slice(100)]))];
}
