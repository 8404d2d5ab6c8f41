// Language tags of BCP 47, by the grammar of RFC 5646 § 2.1. Node's Intl knows another one, of Unicode, which has no tags such as
// x-private, i-klingon and en-GB-oed. No language has four to eight letters, which the grammar reserves: programs write null and auto so.

const grammar =
  /^(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?|x(?:-[a-z\d]{1,8})+)$/i;

/** Irregular tags, which are well-formed because they were registered before the grammar. Other old tags fit the grammar. */
const irregular =
  /^(?:en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de))$/i;

/** Whether a tag is well-formed (RFC 5646 § 2.2.9). Whether its subtags are registered, or repeated, is not checked. */
export const isLanguageTag = (tag: string): boolean => grammar.test(tag) || irregular.test(tag);

/** The scripts that POSIX names behind @. */
const scripts: Record<string, string> = {
  latin: 'Latn',
  cyrillic: 'Cyrl',
  devanagari: 'Deva',
  arabic: 'Arab',
};

/** The tag of a locale of POSIX, as de_DE.UTF-8 and sr_RS@latin, or of Java, as sr_RS_#Latn; another text with hyphens. */
export function ofLocale(locale: string): string {
  const [, name = '', posix = '', java] =
    /^([a-z\d_-]+)(?:\.[\w-]+)?(?:@([a-z]+)|#([a-z]{4}))?$/i.exec(locale) ?? [];
  const script = java ?? scripts[posix.toLowerCase()];
  const tag = (java === undefined ? name : name.replace(/_$/, '')).replaceAll('_', '-');
  if (script !== undefined) return tag.replace(/-|$/, (after) => `-${script}${after}`);
  if (posix.toLowerCase() === 'valencia') return `${tag}-valencia`;
  return ['', 'euro'].includes(posix.toLowerCase()) && name !== '' ? tag : locale;
}

/** A tag in the case that RFC 5646 § 2.1.1 recommends: two tags that differ only in case are the same. */
export function inUsualCase(tag: string): string {
  const subtags = tag.toLowerCase().split('-');
  const singleton = subtags.findIndex(({ length }) => length === 1);
  return subtags
    .map((subtag, i) => {
      if (i === 0 || (singleton >= 0 && i > singleton)) return subtag;
      if (subtag.length === 2) return subtag.toUpperCase();
      return subtag.length === 4 ? subtag.charAt(0).toUpperCase() + subtag.slice(1) : subtag;
    })
    .join('-');
}
