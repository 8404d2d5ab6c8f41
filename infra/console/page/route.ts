import { store } from './store.ts';

/** A view: the tab, and the id of the one thing that it shows. */
export interface Route {
  tab: 'keys' | 'webhooks' | 'activity';
  id?: string;
}

function parsed(): Route {
  const [, tab, id] = /^#\/(keys|webhooks|activity)(?:\/([a-z]+_\w+))?$/.exec(location.hash) ?? [];
  return { tab: (tab ?? 'keys') as Route['tab'], ...(id === undefined ? {} : { id }) };
}

export const route = store<Route>(parsed());

export const hrefOf = (tab: Route['tab'], id?: string): string =>
  `#/${tab}${id === undefined ? '' : `/${id}`}`;

addEventListener('hashchange', () => {
  // The link of a session is no view.
  if (!location.hash.startsWith('#code=')) route.set(parsed());
});
