/**
 * What a function that reports failures says of its batch.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 * @param result the function's answer as JSON
 * @param ids those of the batch
 * @returns the ids that failed; undefined when one of them is none of the batch, which makes the whole batch fail
 */
export function failuresIn(result: string, ids: readonly string[]): ReadonlySet<string> | undefined {
  const answer = JSON.parse(result) as { batchItemFailures?: unknown } | null;
  const failures = answer?.batchItemFailures ?? [];
  if (!Array.isArray(failures)) return undefined;
  const failed = new Set(failures.map((failure) => failure?.itemIdentifier as string));
  return [...failed].every((id) => ids.includes(id)) ? failed : undefined;
}
