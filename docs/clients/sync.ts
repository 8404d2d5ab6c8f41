import * as fs from 'node:fs';

interface Item {
  id: string;
  version: number;
}

interface Copy {
  /** The copy has all changes up to this one. */
  number: number;
  items: Record<string, Item>;
}

const { URL: api, KEY = '' } = process.env;
const file = 'copy.json';
const lists = process.argv.slice(2);

class Refused extends Error {
  status = 0;
}

async function get(path: string) {
  const headers = { 'X-Api-Key': KEY };
  const url = `${api}/${path}`;
  const response = await fetch(url, { headers });
  const body = await response.json();
  if (response.ok) return body;
  const error = new Refused(body.message);
  error.status = response.status;
  throw error;
}

/** Replaces the file as a whole, also in a crash. */
function store(copy: Copy) {
  const next = `${file}.new`;
  fs.writeFileSync(next, JSON.stringify(copy));
  fs.renameSync(next, file);
}

function keep(copy: Copy, item: Item) {
  const known = copy.items[item.id]?.version ?? 0;
  if (item.version > known) copy.items[item.id] = item;
}

/** A page of 32 of the largest records fits. */
async function load(copy: Copy, list: string) {
  for (let after = '', more = true; more; ) {
    const page = `limit=32${after}`;
    const response = await get(`${list}?${page}`);
    for (const item of response.data) keep(copy, item);
    const { total } = response.pagination;
    more = total > response.data.length;
    after = `&after=${response.data.at(-1)?.id}`;
  }
}

async function begin(): Promise<Copy> {
  const query = 'limit=1&sort=-number';
  const newest = await get(`changes?${query}`);
  const number: number = newest.pagination.next_after;
  const copy: Copy = { number, items: {} };
  for (const list of lists) await load(copy, list);
  store(copy);
  return copy;
}

async function follow(copy: Copy) {
  for (let more = true; more; ) {
    const page = `limit=100&after=${copy.number}`;
    const response = await get(`changes?include=resource&${page}`);
    for (const change of response.data) {
      const record = change[change.resource.type];
      // A subscription has no record here.
      if (record) keep(copy, record);
      const { id } = change.resource;
      if (record === null) delete copy.items[id];
    }
    copy.number = response.pagination.next_after;
    more = response.pagination.has_more;
    store(copy);
  }
}

const copy: Copy = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : await begin();
try {
  await follow(copy);
} catch (error) {
  const { status } = error as Refused;
  if (status !== 400) throw error;
  await follow(await begin());
}
