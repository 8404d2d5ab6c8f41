import { store } from './store.ts';

/** The part of an address after the view, by name: filters, a range, what is open. */
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

/** Reads the address of the page. */
export function addressed(): Route {
  const [, tab, id, query] = form.exec(location.hash) ?? [];
  return {
    tab: (tab ?? 'keys') as Route['tab'],
    ...(id === undefined ? {} : { id }),
    query: Object.fromEntries(new URLSearchParams(query)),
    // The link of a session is not a view, and no address is the first one.
    ...(tab === undefined && /^#\/./.test(location.hash) ? { isUnknown: true } : {}),
  };
}

/** The view that is shown. */
export const route = store<Route>(addressed());

/** Returns the address of a view, below the page. Empty values are left out. */
export function hrefOf(tab: Route['tab'], id?: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return `#/${tab}${id === undefined ? '' : `/${id}`}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}
