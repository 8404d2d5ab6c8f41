import { type ResourcePath, typeOfPath } from '../../../lib/contract/inboxContract.ts';
import { readRecord } from '../../../lib/inbox/readMessage.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import type { ResourceType } from '../../../lib/resources/index.ts';
import { type Shaped, writableOf } from '../../../lib/resources/resource.ts';
import { isAccount } from '../../../lib/schemas/account.ts';
import { linkFields, linkTerms } from '../../../lib/schemas/mergeTerms.ts';
import { problemsOf, shown } from '../../../lib/schemas/problemMessages.ts';
import type { Query } from './appDatabase.ts';

// What the API would make of the rows that the views of api.sql show, before anything is sent.

type Content = Record<string, unknown>;

/** Something that many rows may share, and how many do. `example` is the `source_id` of one. */
interface Finding {
  text: string;
  count: number;
  example: string;
}

class Findings {
  private readonly byText = new Map<string, Finding>();

  add(text: string, example: string): void {
    const found = this.byText.get(text);
    if (found) found.count += 1;
    else this.byText.set(text, { text, count: 1, example });
  }

  /** The most frequent first. */
  all = (): Finding[] => [...this.byText.values()].sort((one, other) => other.count - one.count);
}

/** Returns what the API would reject, and what only a person can answer. */
export async function checkRecords(query: Query): Promise<{ problems: Finding[]; questions: Finding[] }> {
  const problems = new Findings();
  const questions = new Findings();
  const views = await query(
    `SELECT viewname, replace(substr(viewname, 13), '_', '-') AS resource FROM pg_views
     WHERE schemaname = current_schema() AND viewname LIKE 'api\\_visible\\_%' ORDER BY 1`,
  );
  for (const { viewname, resource: named } of views) {
    const resource = String(named);
    const seen = new Set<string>();
    await query(
      `DECLARE visible NO SCROLL CURSOR FOR SELECT row_key::text AS source_id, account, row_content::text AS content FROM ${viewname}`,
    );
    for (let rows = await query('FETCH 1000 FROM visible'); rows.length > 0; ) {
      for (const row of rows) {
        const id = String(row.source_id);
        const found = problemsOfRow(resource, id, String(row.account), JSON.parse(String(row.content)));
        for (const problem of found) problems.add(`${resource}: ${problem}`, id);
        if (seen.has(id)) problems.add(`${resource}: a lookup or part finds more than one row`, id);
        const content = JSON.parse(String(row.content)) as Content;
        if (seen.size === 0 && 'total_amount' in content)
          questions.add(`${resource}: total_amount is ${inUnits(content)}`, id);
        seen.add(id);
        for (const question of questionsOf(content)) questions.add(`${resource}: ${question}`, id);
      }
      rows = await query('FETCH 1000 FROM visible');
    }
    await query('CLOSE visible');
  }
  const fields = await query('SELECT resource, field, is_taken FROM api_fields');
  for (const { resource, field, is_taken } of fields)
    if (!is_taken && isOfClients(String(resource), String(field)))
      questions.add(`${resource}: ${field} is only sent, so your value replaces the edits of clients`, '');
  for (const { resource } of views) {
    const isTaken = fields.some((one) => one.resource === resource);
    if (!isTaken && isOfClients(String(resource)))
      problems.add(
        `${resource}: clients write it, and your mapping has no create, delete and <-> for it`,
        '',
      );
  }
  return { problems: problems.all(), questions: questions.all() };
}

/** Returns whether clients write a resource or, if a field of a mapping is given, this field of it. */
function isOfClients(resource: string, path?: string): boolean {
  const type = typeOfPath[resource as ResourcePath] as ResourceType | undefined;
  const open = type ? Object.keys(writableOf(collectionOf(type) as unknown as Shaped)) : [];
  return path === undefined ? open.length > 0 : open.includes(fieldOf(path));
}

/** Returns the field of a line of a mapping: `contact_id` for `contact_source_id`, and `address` for `address.city`. */
const fieldOf = (path: string): string =>
  linkFields.find((field) => linkTerms[field] === path) ?? (path.split('.')[0] as string);

function problemsOfRow(resource: string, source_id: string, account: string, content: Content): string[] {
  if (!(resource in typeOfPath)) return ['the API has no such resource'];
  const read = readRecord(resource as ResourcePath, { source_id, ...content });
  const issues = 'problems' in read ? read.problems : read.leftOut;
  return [
    ...(isAccount(account) ? [] : ['account must be 1 to 64 letters, digits, _ or -']),
    ...problemsOf({ issues: [...issues] }, shown).map((problem) => problem.replace(/\[\d+\]/g, '[]')),
  ];
}

/** An amount as people write it, because a column may hold cents or euros. */
const inUnits = ({ currency, total_amount }: Content): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency: String(currency) })
    .formatToParts(0)
    .some(({ type }) => type === 'fraction')
    ? `${currency} ${Number(total_amount) / 100}`
    : `${currency} ${total_amount}`;

/** What a value may mean cannot be read from a table: the states, the tax and the unit of amounts. */
function questionsOf(content: Content): string[] {
  const amount = (name: string) => Number(content[`${name}_amount`] ?? 0);
  const net =
    amount('subtotal') - amount('discount') + amount('shipping') + amount('fee') + amount('rounding');
  const states = Object.entries(content).filter(([name]) => name.endsWith('status'));
  return [
    ...states.map(([name, state]) => `${name} is ${state}`),
    ...(amount('tax') !== 0 && !content.tax_included && net === amount('total')
      ? ['the total is right without the tax: are the prices with tax? Then send tax_included <- true']
      : []),
    ...('total_amount' in content && !('tax_amount' in content)
      ? ['no tax_amount: is the tax in the prices? Then send tax_amount, and tax_included <- true']
      : []),
    ...('contact_source_id' in content && content.contact_source_id === null ? ['names no contact'] : []),
  ];
}
