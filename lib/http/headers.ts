type MultiValueHeaders = Record<string, string[] | undefined> | null | undefined;

/** The distinct values of a header. The case of its name does not matter: API Gateway passes names on as the client sent them. */
export function headerValues(headers: MultiValueHeaders, name: string): string[] {
  const wanted = name.toLowerCase();
  const values = new Set<string>();
  for (const [key, given] of Object.entries(headers ?? {}))
    if (key.length === wanted.length && key.toLowerCase() === wanted)
      for (const value of given ?? []) values.add(value);
  return [...values];
}

/** The API keys of a request. With more than one, the account of the request would be unclear. */
export const apiKeysOf = (headers: MultiValueHeaders): string[] => headerValues(headers, 'X-Api-Key');
