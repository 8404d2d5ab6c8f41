import { keep, kept } from './storage.ts';

/** How far each entry of the history was scrolled. */
const scrolled = new Map(Object.entries((kept('sessionStorage', 'console-scrolled') ?? {}) as object));
let shown = '';
let wanted: number | undefined;

/** Restores the scroll position of an entry of the history, also after a reload. */
export function beginAt(entry: string): void {
  shown = entry;
  wanted = scrolled.get(entry);
}

/** Goes on to an entry of the history. @param isOther whether it shows another view */
export function scrollFor(entry: string, isOther: boolean): void {
  scrolled.set(shown, scrollY);
  const place = scrolled.get(entry);
  shown = entry;
  if (isOther) wanted = place ?? 0;
  // The same view with what it has shown before is drawn at once.
  else if (place !== undefined) setTimeout(() => scrollTo(0, place));
}

/** Scrolls to where the entry was, as soon as what it shows is as high as it was. */
export function restoreScroll(): void {
  if (wanted === undefined) return;
  scrollTo(0, wanted);
  if (Math.abs(scrollY - wanted) < 2) wanted = undefined;
}

history.scrollRestoration = 'manual';
addEventListener('wheel', () => {
  wanted = undefined;
});
addEventListener('pagehide', () => {
  scrolled.set(shown, scrollY);
  keep('sessionStorage', 'console-scrolled', Object.fromEntries(scrolled));
});
