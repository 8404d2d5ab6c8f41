/**
 * Measures several subjects in interleaved rounds. Each round begins with another subject, so that a change of the machine's
 * load affects all of them alike.
 * @param take measures the subject with a number
 * @returns the measurements of each subject, in the order of the rounds
 */
export async function interleaved<T>(
  count: number,
  rounds: number,
  take: (index: number) => Promise<T>,
): Promise<T[][]> {
  const taken = Array.from({ length: count }, (): T[] => []);
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < count; turn++) {
      const index = (round + turn) % count;
      taken[index]?.push(await take(index));
    }
  return taken;
}
