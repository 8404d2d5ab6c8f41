interface Document {
  paths: Record<string, object>;
  components: { parameters: Record<string, { example?: string }> };
}

/**
 * The ids of existing records, by the ids in the examples of the OpenAPI document, so that the reference can send its example
 * requests. One is left out when the account has no such record.
 * @param baseUrl of the API
 * @param key an API key of the account with the records
 */
export async function idsFor(
  document: string,
  baseUrl: string,
  key: string,
): Promise<Record<string, string>> {
  const { paths, components } = JSON.parse(document) as Document;
  const found: Record<string, string> = {};
  const ids: Record<string, string> = {};
  // The path of a record is the path of its list and its id. A list comes before the lists below its records.
  for (const path of Object.keys(paths)) {
    const [, list = '', name = ''] = /^(.+)\/\{(\w+)\}$/.exec(path) ?? [];
    const example = components.parameters[name]?.example;
    const id =
      example && (await firstId(baseUrl + list.replace(/\{(\w+)\}/g, (_, of) => ids[of] ?? ''), key));
    if (!id) continue;
    ids[name] = id;
    found[example] = id;
  }
  return found;
}

async function firstId(list: string, key: string): Promise<string | undefined> {
  const answer = await fetch(`${list}?limit=1`, { headers: { 'X-Api-Key': key } });
  const { data } = (await answer.json()) as { data?: { id: string }[] };
  return data?.[0]?.id;
}
