/** Runs work for every entry, for at most `atOnce` entries at a time. */
export async function inPool<T>(atOnce: number, entries: readonly T[], work: (entry: T) => Promise<unknown>) {
  const left = entries.values();
  const worker = async () => {
    for (const entry of left) await work(entry);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** @returns a function that runs work, at most `atOnce` of it at the same time, and the rest in the order in which it came */
export function limitedTo(atOnce: number) {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async <R>(work: () => Promise<R>): Promise<R> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
