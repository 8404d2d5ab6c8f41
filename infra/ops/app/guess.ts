import { OpsError } from '../../terminal/opsError.ts';
import type { Column, Table } from './catalog.ts';

// Guesses a mapping by the names and types of tables and columns. `#?` marks what a person should look at, and `#!` what no catalog says.

const whole = (words: string): RegExp => new RegExp(`^(?:${words})$`);

const tableNames = {
  contacts: whole('(.*_)?(contacts?|people|persons?|customers?|members?|clients?|patrons?|guests?|users?)'),
  orders: whole('(.*_)?(orders?|sales?|purchases?|invoices?)'),
  lines: whole('(.*_)?(items?|lines?|line_?items?|orderlines?|positions?)'),
  registrations: whole('(.*_)?(tickets?|registrations?|attendances?|enrol?lments?|bookings?)'),
  events: whole('(.*_)?(events?|shows?|courses?|sessions?|performances?)'),
  accounts: whole(
    '(.*_)?(org(anization|anisation)?s?|accounts?|tenants?|workspaces?|compan(y|ies)|teams?|shops?|clubs?)',
  ),
};

const contactFields: Record<string, RegExp> = {
  email: whole('(primary_)?e?_?mail(_?address)?'),
  first_name: whole('(first|given|fore)_?names?'),
  last_name: whole('(last|family|sur)_?names?'),
  phone: whole('(phone|mobile|tel|telephone|cell)(_?(number|no))?'),
  company: whole('company(_?name)?|employer'),
  job_title: whole('job(_?title)?|occupation'),
  locale: whole('locale|lang(uage)?'),
  timezone: whole('time_?zone|tz'),
  tags: whole('tags|labels|segments'),
  note: whole('notes?|remarks?|comments?|memo'),
  'address.line1': whole('street(_?1)?|address(_?(line)?_?1)?|line_?1'),
  'address.city': whole('(home_?)?(city|town)'),
  'address.region': whole('region|province|county'),
  'address.postal_code': whole('post(al)?_?code|zip(_?code)?'),
  'address.country': whole('country(_?code)?'),
};

const amounts: Record<string, RegExp> = {
  subtotal_amount: whole('(items?_)?sub_?total(_cents)?|item_total'),
  discount_amount: whole('discount(_total)?(_cents)?'),
  shipping_amount: whole('shipping(_total|_cost)?(_cents)?'),
  tax_amount: whole('(total_)?(tax|vat)(_total)?(_cents)?'),
  total_amount: whole('(grand_)?total(_price)?(_cents)?'),
};

const names = {
  slug: whole('slug|subdomain|handle'),
  account: whole('(account|tenant|org|organization|workspace|company|team|shop)(_id)?'),
  hidden: whole('(deleted|archived|discarded|removed)_at'),
  primary: whole('(is_)?(primary|default|main)'),
  state: whole('(order_)?(status|state)'),
  currency: whole('currency(_code)?'),
  title: whole('title|name|subject|product_name|description'),
  quantity: whole('qty|quantity|count'),
  price: whole('(unit_?)?price(_cents)?|amount(_cents)?'),
  category: whole('category|type|ticket_type|kind'),
  starts: whole('starts?(_at|_time|_date)?|begins?_at'),
  placed: whole('(placed|ordered|booked|registered|created|inserted)(_at|_on)?'),
};

const find = ({ columns }: Table, name: RegExp): Column | undefined =>
  columns.find((column) => name.test(column.name));

const primaryOf = ({ columns }: Table): Column | undefined =>
  columns.find(({ name, type }) => names.primary.test(name) && type === 'boolean');

interface Holder {
  table: Table;
  alias: string;
  /** How a part names its contact; undefined for the table of contacts itself. */
  link?: Table['links'][number];
  /** True if a contact has at most one row in this table. */
  isOne: boolean;
  fields: { field: string; column: Column }[];
}

/** Returns the tables that hold fields of contacts. One with several rows for a contact holds only what no other table does. */
function holders(contacts: Table, tables: readonly Table[]): Holder[] {
  const count: Record<string, number> = {};
  const parts = tables.flatMap((table): Holder[] => {
    const link = table.links.find((one) => one.table === contacts.name);
    const [word] = /mail|profile|address/.exec(table.name) ?? [];
    if (!link || !word) return [];
    const nth = count[word] ?? 0;
    count[word] = nth + 1;
    const isOne = primaryOf(table) ?? table.columns.find(({ name }) => name === link.column)?.isUnique;
    return [{ table, link, isOne: !!isOne, alias: `${word}${nth || ''}`, fields: [] }];
  });
  const own: Holder = { table: contacts, alias: 't', isOne: true, fields: [] };
  const done = new Set<string>();
  const all = [...parts.filter(({ isOne }) => isOne), own, ...parts.filter(({ isOne }) => !isOne)];
  for (const { table, alias, fields } of all)
    for (const [field, name] of Object.entries(contactFields)) {
      const isMail = alias.startsWith('mail');
      const column = find(table, isMail ? whole('address|value|email(_address)?') : name);
      if (!column || done.has(field) || (isMail && field !== 'email')) continue;
      done.add(field);
      fields.push({ field, column });
    }
  return all.filter(({ fields }) => fields.length > 0);
}

/** Returns the text of a mapping. @throws OpsError when no table looks like contacts */
export function guessMapping(tables: readonly Table[]): string {
  const lines: string[] = [];
  const say = (term: string, sql: string, mark = '') =>
    lines.push(`${term.padEnd(24)} ${sql}${mark ? `   ${mark}` : ''}`);
  const tableOf = (name: string) => tables.find((table) => table.name === name);
  const fieldsOf = (table: Table) => Object.values(contactFields).filter((name) => find(table, name)).length;
  const contacts = tables
    .filter(({ name }) => tableNames.contacts.test(name))
    .sort((one, other) => fieldsOf(other) - fieldsOf(one))[0];
  if (!contacts)
    throw new OpsError('No table has a name such as people, customers or users: write the mapping by hand.');
  const linkTo = ({ links }: Table, names: RegExp) => links.find(({ table }) => names.test(table));
  const toContact = ({ links }: Table) => links.find(({ table }) => table === contacts.name);
  const best = (name: RegExp) =>
    tables.find((table) => name.test(table.name) && toContact(table)) ??
    tables.find((table) => name.test(table.name));

  const begin = (resource: string, table: Table) => {
    lines.push('', `[${resource}] ${table.name}`);
    say('key', `t.${table.key} ${table.columns.find(({ name }) => name === table.key)?.type}`);
    const hidden = find(table, names.hidden);
    if (hidden) say('hidden', `t.${hidden.name} IS NOT NULL`, '#? which rows may clients not see?');
  };
  /** Says the account that a table with an alias names. @returns its columns and values in a new row of that table */
  const sayAccount = (table: Table, alias = 't'): string => {
    const link = linkTo(table, tableNames.accounts);
    const slug = link && find(tableOf(link.table) as Table, names.slug);
    const column = link?.column ?? find(table, names.account)?.name;
    if (link && slug) {
      say('account', `org.${slug.name}`);
      say('lookup', `${link.table} org ON org.${link.ref} = ${alias}.${link.column}`);
      return `(${link.column}) SELECT ${link.ref} FROM ${link.table} WHERE ${slug.name} = $account`;
    }
    say('account', column ? `${alias}.${column}` : "'main'", column ? '' : '#! whose record is it?');
    const type = table.columns.find(({ name }) => name === column)?.type;
    return column ? `(${column}) VALUES ($account::${type})` : 'DEFAULT VALUES';
  };
  const minor = ({ name, type }: Column, alias: string, currency: string): [string, string] =>
    /int/.test(type)
      ? [`${alias}.${name}`, /cents/.test(name) ? '' : '#! in cents?']
      : [`api_minor(${alias}.${name}, ${currency})`, ''];

  begin('contacts', contacts);
  const made = sayAccount(contacts);
  const held = holders(contacts, tables);
  for (const { table, alias, link, isOne, fields } of held) {
    if (!link) continue;
    const primary = primaryOf(table)?.name;
    const first = `NOT EXISTS (SELECT FROM ${table.name} o WHERE o.${link.column} = t.${link.ref} AND o.${table.key} < ${alias}.${table.key})`;
    const one = primary ? ` AND ${alias}.${primary}` : isOne ? '' : ` AND ${first}`;
    const on = `${alias}.${link.column} = t.${link.ref}${one}`;
    say('part', `${table.name} ${alias} ON ${on}`, isOne ? '' : '#! which of several rows?');
    const others = table.columns.map(({ name }) => name).filter((name) => name !== link.column);
    const shared = contacts.links.filter(({ column }) => others.includes(column));
    const values = [
      `${link.column} = t.${link.ref}`,
      ...shared.map(({ column }) => `${column} = t.${column}`),
      ...(primary ? [`${primary} = true`] : []),
    ];
    const known = [...values.map((value) => value.split(' ')[0]), ...fields.map(({ column }) => column.name)];
    const left = table.columns.filter(({ name }) => !known.includes(name));
    const lacking = left.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    const isMore = !alias.startsWith('mail') && left.some(({ name }) => name !== table.key);
    const mark = isMore
      ? '#! clients could delete the row, with all that it has'
      : '#? clients add and delete it';
    say(
      isMore ? '                       #' : '',
      `WITH ${values.join(', ')}`,
      lacking.length > 0 ? `#! also needs ${lacking.join(', ')}` : mark,
    );
  }
  const required = contacts.columns.filter(({ name, isRequired }) => isRequired && !made.includes(name));
  say(
    'create',
    `INSERT INTO ${contacts.name} ${made} RETURNING ${contacts.key}`,
    required.length > 0 ? `#! also needs ${required.map(({ name }) => name).join(', ')}` : '#?',
  );
  say(
    'delete',
    `DELETE FROM ${contacts.name} WHERE ${contacts.key} = $key`,
    '#! a person has asked to be forgotten',
  );
  const moves = tables.flatMap((table) => {
    const link = toContact(table);
    return link && !held.some((one) => one.table === table) ? [`${table.name}.${link.column}`] : [];
  });
  if (moves.length > 0) say('moves', moves.join(', '));
  for (const { alias, fields } of held)
    for (const { field, column } of fields)
      say(
        `${field} <->`,
        `${alias}.${column.name}`,
        column.isRequired && (alias === 't' || fields.length > 1) ? '#? NOT NULL: what is empty?' : '',
      );

  const orders = best(tableNames.orders);
  if (orders) {
    begin('orders', orders);
    sayAccount(orders);
    const currencyColumn = find(orders, names.currency);
    const currency = currencyColumn ? `t.${currencyColumn.name}` : "'EUR'";
    const entries = tables.find(
      (table) => tableNames.lines.test(table.name) && table.links.some((link) => link.table === orders.name),
    );
    const link = entries?.links.find(({ table }) => table === orders.name);
    const left = entries && find(entries, names.hidden);
    if (entries && link)
      say(
        'list',
        `line_items ${entries.name} l ON l.${link.column} = t.${link.ref}${left ? ` AND l.${left.name} IS NULL` : ''}`,
      );
    say('number <-', `t.${find(orders, whole('number|reference|order_no'))?.name ?? orders.key}`);
    const contact = toContact(orders);
    if (contact) say('contact_source_id <-', `t.${contact.column}`);
    const state = find(orders, names.state)?.name;
    const stated = `#! ${state ? `CASE t.${state} WHEN … THEN …` : 'no column'}`;
    say('status <-', "'confirmed'", stated);
    say('payment_status <-', "'unpaid'", stated);
    say('fulfillment_status <-', "'not_required'", stated);
    say('currency <-', currency, currencyColumn ? '' : '#! no column');
    const found = Object.entries(amounts).flatMap(([field, name]) => {
      const column = find(orders, name);
      return column ? [{ field, value: minor(column, 't', currency) }] : [];
    });
    const has = (field: string) => found.some((one) => one.field === field);
    if (!has('subtotal_amount')) say('subtotal_amount <-', entries ? 'line_items.total_amount' : '0', '#?');
    for (const { field, value } of found) say(`${field} <-`, ...value);
    if (!has('total_amount'))
      say('total_amount <-', 'line_items.total_amount', '#! with shipping, discount and tax?');
    if (!has('tax_amount')) say('# tax_included <-', 'true', '#! are the prices with tax?');
    if (entries) {
      const price = find(entries, names.price);
      const quantity = find(entries, names.quantity);
      const count = quantity ? `l.${quantity.name}` : '1';
      const [unit, mark] = price ? minor(price, 'l', currency) : ['0', '#! no column'];
      say('line_items.id <-', `l.${entries.key}`);
      say('line_items.type <-', "'product'");
      say('line_items.name <-', `l.${find(entries, names.title)?.name ?? entries.key}`);
      say('line_items.quantity <-', count);
      say('line_items.unit_amount <-', unit, mark);
      say('line_items.total_amount <-', `${unit} * ${count}`, mark);
    }
    say(
      'placed_at <-',
      `t.${find(orders, names.placed)?.name ?? 'placed_at'}`,
      find(orders, names.placed) ? '' : '#!',
    );
  }

  const registrations = best(tableNames.registrations);
  const link = registrations && linkTo(registrations, tableNames.events);
  const event = link && tableOf(link.table);
  if (registrations && link && event) {
    begin('event-registrations', registrations);
    say('lookup', `${event.name} event ON event.${link.ref} = t.${link.column}`);
    const isOwn = linkTo(registrations, tableNames.accounts) ?? find(registrations, names.account);
    if (isOwn) sayAccount(registrations);
    else sayAccount(event, 'event');
    say('event.id <-', `event.${link.ref}`);
    say('event.name <-', `event.${find(event, names.title)?.name ?? link.ref}`);
    say('event.starts_at <-', `event.${find(event, names.starts)?.name ?? 'starts_at'}`);
    const zone = find(event, contactFields.timezone as RegExp);
    say('event.timezone <-', zone ? `event.${zone.name}` : "'UTC'", zone ? '' : '#! no column');
    const contact = toContact(registrations);
    if (contact) say('contact_source_id <-', `t.${contact.column}`);
    const category = find(registrations, names.category);
    say('ticket.type_id <-', category ? `t.${category.name}` : "'standard'", category ? '' : '#! no column');
    say(
      'ticket.type_name <-',
      category ? `t.${category.name}` : "'Standard'",
      category ? '' : '#! no column',
    );
    const price = find(registrations, names.price);
    const [cost, mark] = price ? minor(price, 't', "'EUR'") : ['0', '#! no column'];
    say('ticket.price_amount <-', cost, mark);
    say('ticket.currency <-', "'EUR'", '#! no column');
    say('status <-', "'confirmed'", '#! which rows are cancelled?');
    say('registered_at <-', `t.${find(registrations, names.placed)?.name ?? 'registered_at'}`);
  }
  const used = new Set(
    lines.flatMap((line) => /^(?:\[[^\]]+\]|part|lookup|list +line_items) +(\S+)/.exec(line)?.[1] ?? []),
  );
  const unused = tables.filter(({ name }) => !used.has(name)).map(({ name }) => name);
  return [
    '# <-> goes both ways, <- is only sent; `t` is the row. #? look at it, #! no table says it.',
    ...lines,
    ...(unused.length > 0 ? ['', `# Not used: ${unused.join(', ')}`] : []),
    '',
  ].join('\n');
}
