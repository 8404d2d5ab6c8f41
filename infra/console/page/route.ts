import { store } from './store.ts';

/** A view: the tab, and the id of the one thing that it shows, or of the key that it is about. */
export interface Route {
  tab: (typeof tabs)[number];
  id?: string;
}

const tabs = ['keys', 'usage', 'failed-requests', 'webhooks', 'activity'] as const;

const form = new RegExp(`^#/(${tabs.join('|')})(?:/([a-z]+_\\w+))?$`);

function parsed(): Route {
  const [, tab, id] = form.exec(location.hash) ?? [];
  return { tab: (tab ?? 'keys') as Route['tab'], ...(id === undefined ? {} : { id }) };
}

export const route = store<Route>(parsed());

export const hrefOf = (tab: Route['tab'], id?: string): string =>
  `#/${tab}${id === undefined ? '' : `/${id}`}`;

addEventListener('hashchange', () => {
  // The link of a session is not a view.
  if (!location.hash.startsWith('#code=')) route.set(parsed());
});
