import { resources, resourceTypes } from '../../../../lib/resources/index.ts';
import { pollRule } from './lists.ts';
import { howMany, oneOfAny } from './names.ts';

/** The guide to a copy that follows the API, in Markdown. */
export const syncGuide = `## Keep a copy in sync

\`GET /changes\` lists every change of ${oneOfAny} of the last 30 days under a number: 0, 1, 2, … without gaps. No number appears later than a higher one. A copy that asks for what follows the last number it knows misses nothing, however long it was away within these days:

1. Ask for the newest number first. What changes after that is in the list of changes.
2. Read all lists.
3. Every minute, ask for the changes after the number, with \`include=resource\`: each change then has the record as it is now. If that has a higher version than your record, keep it; if it is \`null\`, the record is deleted, so delete yours. Then store the \`next_after\` of the answer as your number, and ask again while \`has_more\` is true.
4. If the answer is 400, changes that you have not seen are no longer kept: begin again.

Store the records before the number. After a crash some changes then come twice, and the version shows that they are known. Send \`next_after\` as \`after\`, not the number of the last change that you got: changes of types that your key may not read have numbers too, and a page passes over them. A program that also writes records asks with \`exclude_own=true\`: then it does not get back what its key has changed. Webhooks can tell you when to ask, instead of every minute.

Without \`include\`, a page of changes takes a second request for each kind of its records: a list with their ids, such as \`GET /${resources.contact.path}?id=con_…,con_…\`.

A program can also poll a list. ${pollRule} Deleted records appear in no poll.

This program does all of it, and keeps the copy in a file. Run it every minute with Node.js 24 (\`node sync.ts\`) and a key that may read all ${howMany} lists.

\`\`\`ts
import * as fs from "node:fs";

interface Item {
  id: string;
  version: number;
}

interface Copy {
  /** The copy has all changes up to this one. */
  number: number;
  items: Record<string, Item>;
}

const { URL: api, KEY = "" } = process.env;
const file = "copy.json";
const lists = [
${resourceTypes.map((type) => `  "${resources[type].path}",`).join('\n')}
];

class Refused extends Error {
  status = 0;
}

async function get(path: string) {
  const headers = { "X-Api-Key": KEY };
  const url = \`\${api}/\${path}\`;
  const response = await fetch(url, { headers });
  const body = await response.json();
  if (response.ok) return body;
  const error = new Refused(body.message);
  error.status = response.status;
  throw error;
}

/** Replaces the file as a whole, also in a crash. */
function store(copy: Copy) {
  const next = \`\${file}.new\`;
  fs.writeFileSync(next, JSON.stringify(copy));
  fs.renameSync(next, file);
}

function keep(copy: Copy, item: Item) {
  const known = copy.items[item.id]?.version ?? 0;
  if (item.version > known)
    copy.items[item.id] = item;
}

/** A page of 32 of the largest records fits. */
async function load(copy: Copy, list: string) {
  for (let after = "", more = true; more; ) {
    const page = \`limit=32\${after}\`;
    const answer = await get(\`\${list}?\${page}\`);
    for (const item of answer.data) keep(copy, item);
    const { total } = answer.pagination;
    more = total > answer.data.length;
    after = \`&after=\${answer.data.at(-1)?.id}\`;
  }
}

async function begin(): Promise<Copy> {
  const query = "limit=1&sort=-number";
  const newest = await get(\`changes?\${query}\`);
  const number: number = newest.pagination.next_after;
  const copy: Copy = { number, items: {} };
  for (const list of lists) await load(copy, list);
  store(copy);
  return copy;
}

async function follow(copy: Copy) {
  for (let more = true; more; ) {
    const page = \`limit=100&after=\${copy.number}\`;
    const answer = await get(
      \`changes?include=resource&\${page}\`,
    );
    for (const change of answer.data) {
      const record = change[change.resource.type];
      // A subscription has no record here.
      if (record) keep(copy, record);
      const { id } = change.resource;
      if (record === null) delete copy.items[id];
    }
    copy.number = answer.pagination.next_after;
    more = answer.pagination.has_more;
    store(copy);
  }
}

const copy: Copy = fs.existsSync(file)
  ? JSON.parse(fs.readFileSync(file, "utf8"))
  : await begin();
try {
  await follow(copy);
} catch (error) {
  const { status } = error as Refused;
  if (status !== 400) throw error;
  await follow(await begin());
}
\`\`\``;
