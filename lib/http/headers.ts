type MultiValueHeaders = Record<string, string[] | undefined> | null | undefined;

/** All different values of a header, whatever the case of its name: API Gateway passes names on as the client wrote them. */
export function headerValues(headers: MultiValueHeaders, name: string): string[] {
  const wanted = name.toLowerCase();
  const values = new Set<string>();
  // A request has some twenty headers, and is asked for one of them a few times.
  for (const [key, given] of Object.entries(headers ?? {}))
    if (key.length === wanted.length && key.toLowerCase() === wanted)
      for (const value of given ?? []) values.add(value);
  return [...values];
}

/** The API keys of a request. More than one is as bad as none: we would not know whose request it is. */
export const apiKeysOf = (headers: MultiValueHeaders): string[] => headerValues(headers, 'X-Api-Key');
