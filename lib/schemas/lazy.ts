/**
 * Builds a schema once, on first use. A cold start then builds only the schemas that the operation parses with, and not those that only
 * describe its response.
 */
export function lazy<T>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}
