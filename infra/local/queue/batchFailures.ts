/**
 * Reads the partial batch response of a function.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 * @param result the function's response as JSON
 * @param ids the ids of the batch
 * @returns the ids that failed; undefined if the response is invalid or contains an unknown id, which means that the whole batch failed
 */
export function failuresIn(result: string, ids: readonly string[]): ReadonlySet<string> | undefined {
  const answer = JSON.parse(result) as { batchItemFailures?: unknown } | null;
  const failures = answer?.batchItemFailures ?? [];
  if (!Array.isArray(failures)) return undefined;
  const failed = new Set(failures.map((failure) => failure?.itemIdentifier as string));
  return [...failed].every((id) => ids.includes(id)) ? failed : undefined;
}
