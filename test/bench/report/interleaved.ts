/**
 * Takes something of each of several, over and over, each round beginning with another one: what happens to the machine
 * meanwhile happens to all of them.
 * @param take gets the number of the one whose turn it is
 * @returns what was taken, of each in the order of the rounds
 */
export async function inTurns<T>(
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
