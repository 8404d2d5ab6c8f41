interface Document {
  paths: Record<string, object>;
  components: { parameters: Record<string, { example?: string }> };
}

/**
 * A document with ids of records that are there in the place of its examples, so that requests can be tried as they stand.
 * An example of which there is no record stays as it is.
 * @param baseUrl of the API
 * @param key of the account whose records they are
 */
export async function withIdsOf(document: string, baseUrl: string, key: string): Promise<string> {
  const { paths, components } = JSON.parse(document) as Document;
  let text = document;
  const ids: Record<string, string> = {};
  // A record is at the path of its list and its id; lists come before what is in their records.
  for (const path of Object.keys(paths)) {
    const [, list = '', name = ''] = /^(.+)\/\{(\w+)\}$/.exec(path) ?? [];
    const example = components.parameters[name]?.example;
    const id =
      example && (await firstId(baseUrl + list.replace(/\{(\w+)\}/g, (_, of) => ids[of] ?? ''), key));
    if (!id) continue;
    ids[name] = id;
    text = text.replaceAll(example, id);
  }
  return text;
}

async function firstId(list: string, key: string): Promise<string | undefined> {
  const answer = await fetch(`${list}?limit=1`, { headers: { 'X-Api-Key': key } });
  const { data } = (await answer.json()) as { data?: { id: string }[] };
  return data?.[0]?.id;
}
