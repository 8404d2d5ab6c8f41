/** Is used where the browser forbids storage, as in some frames. It lasts as long as the page. */
const memory = new Map<string, string>();

/** sessionStorage ends with its tab. */
export type Place = 'localStorage' | 'sessionStorage';

/** A value that was kept; undefined when there is none. */
export function kept(place: Place, name: string): unknown {
  try {
    return JSON.parse(memory.get(name) ?? window[place].getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value, or forgets it when it is undefined. */
export function keep(place: Place, name: string, value: unknown): void {
  memory.delete(name);
  const text = JSON.stringify(value);
  try {
    if (text === undefined) window[place].removeItem(name);
    else window[place].setItem(name, text);
  } catch {
    if (text !== undefined) memory.set(name, text);
  }
}
