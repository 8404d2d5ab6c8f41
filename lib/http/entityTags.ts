/** The content of If-Match and If-None-Match (RFC 9110 § 8.8.3 and § 13.1): `*` for any tag, or a list of tags. */
export type EntityTags = '*' | readonly { weak: boolean; opaque: string }[];

/** An element of a list, which may be empty (RFC 9110 § 5.6.1.2). White space may stand in one place only: with two adjacent places, the time would grow with its square. */
const element = /\s*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*)?(?:,|$)/y;

/** @returns undefined when the text is neither `*` nor a list of entity tags */
export function parseEntityTags(text: string): EntityTags | undefined {
  if (text.trim() === '*') return '*';
  const tags: { weak: boolean; opaque: string }[] = [];
  for (element.lastIndex = 0; element.lastIndex < text.length; ) {
    const found = element.exec(text);
    if (!found) return undefined;
    const [, weak, opaque] = found;
    if (opaque !== undefined) tags.push({ weak: weak !== undefined, opaque });
  }
  return tags.length > 0 ? tags : undefined;
}

/** The entity tag of a version of a record. Strong (RFC 9110 § 8.8.1): a version is never given to two different states. */
export const entityTag = (version: number): string => `"${version}"`;

/** Whether the tags match the version. If-Match needs the strong comparison, in which a weak tag never matches. */
export const isMatch = (tags: EntityTags, version: number, comparison: 'strong' | 'weak'): boolean =>
  tags === '*' ||
  tags.some(({ weak, opaque }) => opaque === String(version) && (comparison === 'weak' || !weak));
