import { collectionOf } from '../../../../lib/resources/collections.ts';
import { documents } from '../../../../lib/resources/documents.ts';
import { type ResourceType, resources, resourceTypes, wordsFor } from '../../../../lib/resources/index.ts';
import { idsMax, recordQuery } from '../../../../lib/values/filters.ts';
import { pollRule } from './lists.ts';
import { allNames, howMany } from './names.ts';

const common = Object.keys(recordQuery('any', {}).shape);

/** How values of a kind are compared. */
const forms: Record<string, string> = {
  email: ' in any letter case',
  line: ' in any letter case',
  phone: ' by its digits',
  tags: ' up to ten times',
};

/** The row of a list in the table of filters. */
export function filterRow(type: ResourceType): string {
  const own = Object.keys(documents[type].list.query().shape).filter((name) => !common.includes(name));
  const { values } = collectionOf(type).filters;
  const kindOf = (name: string) => values.find((field) => field.name === name)?.source?.split(' ')[1] ?? '';
  const cells = own.map((name) => `\`${name}\`${forms[kindOf(name)] ?? ''}`);
  return `| ${wordsFor(resources[type])} | ${cells.join(', ')} |`;
}

/** The guide to filters, orders and paging, in Markdown. */
export const listGuide = `## Filter, sort and page through lists

${allNames} take filters, and so do [the deliveries of a webhook subscription](listWebhookDeliveries.html). A record is listed if it matches all of them:

| List | Filters |
|---|---|
${resourceTypes.map(filterRow).join('\n')}
| all ${howMany} | \`id\`, \`created_since\`, \`created_before\`, \`updated_since\` |

\`\`\`sh
curl -G "$URL/orders" -H "X-Api-Key: $KEY" \\
  -d payment_status=unpaid,partially_paid \\
  -d sort=-created_at
\`\`\`

\`\`\`sh
curl -G "$URL/contacts" -H "X-Api-Key: $KEY" \\
  -d tag=newsletter -d tag=vip \\
  -d updated_since=2026-03-01T00:00:00Z
\`\`\`

- **Words.** A status and an attendance take up to 20 words, separated by commas: a record with any of them matches. \`tag\` may be given up to 10 times: a contact with all of them matches.
- **Ids.** \`id\` takes up to ${idsMax} ids, separated by commas: the records come in the order of the list, and ids that are unknown are left out. It is the cheapest way to read many records, and one answer has all of them: with \`id\`, \`limit\` is 100 by default.
- **Times** are RFC 3339 with an offset; a date is that day at 00:00 UTC. \`since\` includes the time, and \`before\` excludes it.
- **A value that no record has** is an empty list. So is a word that this API does not know, because words may be added. A value of another form, an empty value and an unknown parameter are 400. A query has at most 2,000 characters, percent-encoded, without \`limit\`, \`offset\` and \`after\`; with \`id\`, 4,200.
- **Order.** \`sort=created_at\` (default) is oldest first, and \`sort=-created_at\` is newest first.
- **Changes.** \`external_id\` and \`id\` follow a change at once, and so does a list without filters. The other filters follow a change within about a second; after thousands of new values at once, such as tags that one contact each has, those of this account take up to a second more for each thousand. Every record that is shown matches the filters as it is now.
- **Paging.** With filters, records can leave the list while you page through it, and the records after them move to a lower \`offset\`. Newest first, new records move the others to a higher one. So do not use \`offset\` there: follow \`rel="next"\` of the header \`Link\` until there is none, or send the \`id\` of the last record as \`after\`, and stop when a page has \`total\` records: if you wait for an empty page, each new record costs you another request. \`after\` lists only the records after this one in the order of the list, and \`total\` counts only these.
- **Polls.** ${pollRule} Deleted records appear in no poll: follow \`GET /changes\` to see them.

\`\`\`js
const headers = { "X-Api-Key": process.env.KEY };
const orders = \`\${process.env.URL}/orders\`;

async function* ordersWith(filters) {
  const query = new URLSearchParams(filters);
  let url = \`\${orders}?\${query}\`;
  while (url) {
    const response = await fetch(url, { headers });
    const answer = await response.json();
    if (!response.ok)
      throw new Error(answer.message);
    yield* answer.data;
    const links = response.headers.get("Link");
    const next = /<([^>]+)>; rel="next"/;
    url = next.exec(links)?.[1];
  }
}

const unpaid = { payment_status: "unpaid" };
for await (const { number } of ordersWith(unpaid))
  console.log(number);
\`\`\``;
