import { keep, kept } from './storage.ts';
import { store } from './store.ts';

/** What a view shows of its thing, by name: filters, a range, what is open. */
export type Query = Readonly<Record<string, string>>;

/** A view, as its address has it: the tab, the id of the one thing that it shows, and what of it. */
export interface Route {
  tab: (typeof tabs)[number];
  id?: string;
  query: Query;
  /** Whether the address is of no view. */
  isUnknown?: boolean;
}

const tabs = ['keys', 'usage', 'failed-requests', 'webhooks', 'activity'] as const;

const form = new RegExp(`^#/(${tabs.join('|')})(?:(?<=keys|webhooks)/([a-z]+_\\w+))?(?:\\?(.*))?$`);

function parsed(): Route {
  const [, tab, id, query] = form.exec(location.hash) ?? [];
  return {
    tab: (tab ?? 'keys') as Route['tab'],
    ...(id === undefined ? {} : { id }),
    query: Object.fromEntries(new URLSearchParams(query)),
    // The link of a session is not a view, and no address is the first one.
    ...(tab === undefined && /^#\/./.test(location.hash) ? { isUnknown: true } : {}),
  };
}

export const route = store<Route>(parsed());

/** The address of a view, below the page. Empty values are left out. */
export function hrefOf(tab: Route['tab'], id?: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return `#/${tab}${id === undefined ? '' : `/${id}`}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}

/** What the history knows of an entry of this page. */
interface Entry {
  /** Names it. */
  n: string;
  /** Whether the entry before it is the same view without its dialog. */
  isDialog?: boolean;
}

const entry = (): Entry | null => history.state;

const newEntry = (isDialog = false): Entry => ({ n: crypto.randomUUID(), ...(isDialog ? { isDialog } : {}) });

/** Shows another address, as a new entry of the history or in the place of the one that is shown. */
export function go(hash: string, how: 'push' | 'replace' = 'push', isDialog = false): void {
  if (how === 'push') history.pushState(newEntry(isDialog), '', hash);
  else history.replaceState(entry(), '', hash);
  show();
}

/** Changes what the address says of the view. */
export const changeQuery = (part: Query, how?: 'push' | 'replace', isDialog?: boolean): void => {
  const { tab, id, query } = route.get();
  const hash = hrefOf(tab, id, { ...query, ...part });
  if (hash !== hrefOf(tab, id, query)) go(hash, how, isDialog);
};

/** Opens a dialog of the view. Back closes it. */
export const openDialog = (name: string): void => changeQuery({ dialog: name }, 'push', true);

/** Closes the dialog of the address, if it has one. */
export function closeDialog(): void {
  const { dialog, ...query } = route.get().query;
  if (dialog === undefined) return;
  if (entry()?.isDialog) {
    isOwn = true;
    history.back();
    // The browser goes back in a moment.
    route.set({ ...route.get(), query });
  } else changeQuery({ dialog: '' }, 'replace');
}

let isOwn = false;
let holds = 0;

/** Keeps the address as it is, because what it shows would be lost. @returns what ends it */
export function holdAddress(): () => void {
  holds += 1;
  return () => {
    holds -= 1;
  };
}

/** How far each entry of the history was scrolled. */
const scrolled = new Map(Object.entries((kept('sessionStorage', 'console-scrolled') ?? {}) as object));
let shown = location.hash;
let shownEntry = '';
let wanted: number | undefined;
/** Whether the view is one that was not shown before, and nothing was done in it. */
let isFollowed = false;

/** Shows the line that an address opens, when somebody follows a link to it: what was scrolled or clicked before stays. */
export function reveal(line: Element): void {
  if (!isFollowed) return;
  isFollowed = false;
  wanted = undefined;
  const { top, bottom } = line.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) line.scrollIntoView({ block: 'center' });
}

/** Scrolls to where the entry was, as soon as what it shows is as high as it was. */
export function restoreScroll(): void {
  if (wanted === undefined) return;
  scrollTo(0, wanted);
  if (Math.abs(scrollY - wanted) < 2) wanted = undefined;
}

function show(): void {
  const next = parsed();
  const { tab, id } = route.get();
  const before = shownEntry;
  scrolled.set(before, scrollY);
  nameEntry();
  isFollowed = false;
  const place = scrolled.get(shownEntry);
  if (next.tab !== tab || next.id !== id) {
    wanted = place ?? 0;
    isFollowed = shownEntry === before || place === undefined;
    // The same view with what it has shown before is drawn at once.
  } else if (place !== undefined) setTimeout(() => scrollTo(0, place));
  shown = location.hash;
  route.set(next);
}

/** Gives the entry that is shown a name, if it has none. @returns the name */
export function nameEntry(): string {
  if (!entry()?.n) history.replaceState(newEntry(), '');
  shownEntry = entry()?.n ?? '';
  return shownEntry;
}

history.scrollRestoration = 'manual';
if (!location.hash.startsWith('#code=')) {
  wanted = scrolled.get(nameEntry());
  isFollowed = wanted === undefined;
}

addEventListener('hashchange', () => {
  // The link of a session is not a view.
  if (location.hash.startsWith('#code=')) return;
  if (holds > 0 && !isOwn) history.pushState(newEntry(), '', shown);
  else show();
  isOwn = false;
});
addEventListener('wheel', () => {
  wanted = undefined;
  isFollowed = false;
});
addEventListener('pagehide', () => {
  scrolled.set(shownEntry, scrollY);
  keep('sessionStorage', 'console-scrolled', Object.fromEntries(scrolled));
});
