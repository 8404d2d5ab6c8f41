type MultiValueHeaders = Record<string, string[] | undefined> | null | undefined;

/** All different values of a header, whatever the case of its name: API Gateway passes names on as the client wrote them. */
export function headerValues(headers: MultiValueHeaders, name: string): string[] {
  const values = Object.entries(headers ?? {})
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? []);
  return [...new Set(values)];
}

/** The API keys of a request. More than one is as bad as none: we would not know whose request it is. */
export const apiKeysOf = (headers: MultiValueHeaders): string[] => headerValues(headers, 'X-Api-Key');
