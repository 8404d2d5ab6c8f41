import { addressed, hrefOf, type Query, route } from './route.ts';
import { beginAt, scrollFor } from './scroll.ts';

/** The state of an entry of the history. */
interface Entry {
  /** Names it. */
  n: string;
  /** Whether the entry before it is the same view without its dialog. */
  isDialog?: boolean;
}

const entry = (): Entry | null => history.state;

const newEntry = (isDialog = false): Entry => ({ n: crypto.randomUUID(), ...(isDialog ? { isDialog } : {}) });

/** Gives the entry that is shown a name, if it has none. @returns the name */
function nameEntry(): string {
  if (!entry()?.n) history.replaceState(newEntry(), '');
  return entry()?.n ?? '';
}

/** Whether the address is the link of a session, which is not a view. */
export const isSessionLink = (): boolean => location.hash.startsWith('#code=');

/** Forgets the link of a session: neither history nor a copied address holds it. */
export function forgetLink(): void {
  history.replaceState(null, '', location.pathname);
  beginAt(nameEntry());
}

let shown = location.hash;
let isOwn = false;
let holds = 0;

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
  const { dialog, scope: _, ...query } = route.get().query;
  if (dialog === undefined) return;
  if (entry()?.isDialog) {
    isOwn = true;
    history.back();
    // The browser goes back in a moment.
    route.set({ ...route.get(), query });
  } else changeQuery({ dialog: '', scope: '' }, 'replace');
}

/** Keeps the address as it is, because what it shows would be lost. @returns what ends it */
export function holdAddress(): () => void {
  holds += 1;
  return () => {
    holds -= 1;
  };
}

function show(): void {
  const next = addressed();
  const { tab, id } = route.get();
  scrollFor(nameEntry(), next.tab !== tab || next.id !== id);
  shown = location.hash;
  route.set(next);
}

if (!isSessionLink()) beginAt(nameEntry());

addEventListener('hashchange', () => {
  if (isSessionLink()) return;
  if (holds > 0 && !isOwn) history.pushState(newEntry(), '', shown);
  else show();
  isOwn = false;
});
