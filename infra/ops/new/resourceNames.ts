const camel = (text: string): string => text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
/** Turns `supportTicket` into `support-ticket`. */
export const kebabOf = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the names of a resource, in the forms that code and sentences need. @param one such as `support-ticket` */
export function namesOf(one: string, path: string, prefix: string) {
  const article = /^[aeio]/.test(one) ? 'an' : 'a';
  return {
    path,
    prefix,
    one: camel(one),
    One: capital(camel(one)),
    type: one.replaceAll('-', '_'),
    thing: one.replaceAll('-', ' '),
    many: camel(path),
    Many: capital(camel(path)),
    list: path.replaceAll('-', '_'),
    things: path.replaceAll('-', ' '),
    article,
    Article: capital(article),
  };
}

export type Names = ReturnType<typeof namesOf>;
