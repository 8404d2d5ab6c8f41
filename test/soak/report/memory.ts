import { readdirSync, readFileSync } from 'node:fs';
import { median } from '../../bench/report/statistics.ts';

/** A number in a file such as /proc/1/status; undefined when the process has ended. */
function numberIn(file: string, name: string): number | undefined {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

/** The resident memory of a process and of all that it has started, in MB; undefined on a system without /proc. */
export function residentMb(leader: number): number | undefined {
  if (numberIn('/proc/self/status', 'PPid') === undefined) return undefined;
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ id: Number(name), parent: numberIn(`/proc/${name}/status`, 'PPid') }));
  const tree = new Set([leader]);
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const { id, parent } of parents) if (parent !== undefined && tree.has(parent)) tree.add(id);
  }
  const kb = [...tree].map((id) => numberIn(`/proc/${id}/status`, 'VmRSS') || 0);
  return kb.reduce((sum, one) => sum + one, 0) / 1024;
}

/** The resident memory of the stack over the soak, a list for each of its processes. */
export class MemoryCurve {
  private readonly lives: number[][] = [[]];
  highest = 0;

  /** The stack has been restarted. */
  begin(): void {
    this.lives.push([]);
  }

  add(mb: number): void {
    this.lives.at(-1)?.push(mb);
    this.highest = Math.max(this.highest, mb);
  }

  get latest(): number | undefined {
    return this.lives.at(-1)?.at(-1);
  }

  /** The longest life: how many samples it has, and the medians of its quarters. */
  longest(): { samples: number; quarters: number[] } {
    const longest = this.lives.toSorted((a, b) => b.length - a.length)[0] ?? [];
    const part = Math.ceil(longest.length / 4);
    return {
      samples: longest.length,
      quarters: [0, 1, 2, 3].map((i) => median(longest.slice(i * part, (i + 1) * part))),
    };
  }
}
