/** Runs work for every entry, for at most `atOnce` entries at a time. */
export async function inPool<T>(atOnce: number, entries: readonly T[], work: (entry: T) => Promise<unknown>) {
  const left = entries.values();
  const worker = async () => {
    for (const entry of left) await work(entry);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
