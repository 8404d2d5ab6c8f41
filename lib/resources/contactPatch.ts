import { badRequest, invalidField, invalidRequest } from '../errors/apiError.ts';
import { constant, ours, said, theirs } from '../errors/constant.ts';
import { problemOf } from '../errors/problem.ts';
import { quoted } from '../errors/quoted.ts';
import { patchedAddress } from '../values/addresses.ts';
import { mergeCustomFields } from '../values/shared.ts';
import { type Content, ofServer, type Served } from './collection.ts';
import { type Contact, type ContactPatch, identifiedRule, isIdentified } from './contacts.ts';

const serverRule = /* @__PURE__ */ constant`must be left out, or be as it is: only the server changes it`;

/**
 * The fields of a contact after a merge patch (RFC 7396).
 * @throws ApiError 400 when each part of the patch is valid, but the contact after it would not be, or it changes a field of the server
 */
export function patched(contact: Contact, patch: ContactPatch): Content<Contact> {
  const { address, tags, custom_fields, ...plain } = patch;
  const changed = (ofServer as (keyof Served)[]).filter(
    (name) => name in patch && patch[name] !== contact[name],
  );
  if (changed.length > 0) throw badRequest(changed.map((name) => problemOf(ours(name), serverRule)));
  const after = {
    ...contact,
    ...(plain as Partial<Contact>),
    address: patchedAddress(contact.address, address),
    tags: tags === undefined ? contact.tags : (tags ?? []),
    custom_fields:
      custom_fields === null ? {} : mergeCustomFields(contact.custom_fields, custom_fields ?? {}),
  };
  if (!isIdentified(after)) throw invalidRequest(ours(identifiedRule));
  return after;
}

/**
 * The content of the contact that a path names by its external id.
 * @throws ApiError 400 when the content has another external id
 */
export function withExternalId(
  content: Content<Contact>,
  external_id: string,
): Content<Contact> & { external_id: string } {
  if (content.external_id !== null && content.external_id !== external_id)
    throw invalidField(
      constant`external_id`,
      said`must be left out, or be the one in the path, which is ${theirs(quoted(external_id))}`,
    );
  return { ...content, external_id };
}
