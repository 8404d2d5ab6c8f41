import { type Api, ApiError, bodyOf, type Schema } from './api.ts';
import { walk } from './walk.ts';

type Contact = Schema<'Contact'>;

export const allContacts = (api: Api): AsyncGenerator<Contact> =>
  walk(async (query) => bodyOf(await api.GET('/contacts', { params: { query } })));

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
