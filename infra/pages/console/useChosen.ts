import { changeQuery } from './addressHistory.ts';
import { type Query, route } from './route.ts';
import { useStore } from './store.ts';

/**
 * Keeps the choices of a person in the address: so reload, Back and a link to somebody else show the same.
 * @param first what is shown when the address says nothing
 * @param allowed the values that a name may have; without them it may have any
 */
export function useChosen<Values extends Query>(
  first: Values,
  allowed: { [Name in keyof Values]?: readonly string[] } = {},
): [Values, (part: Partial<Values>, how?: 'push' | 'replace') => void] {
  const { query } = useStore(route);
  const values = Object.fromEntries(
    Object.entries(first).map(([name, preset]) => {
      const value = query[name] ?? preset;
      return [name, (allowed[name] ?? [value]).includes(value) ? value : preset];
    }),
  ) as Values;
  const change = (part: Partial<Values>, how?: 'push' | 'replace') =>
    changeQuery(
      Object.fromEntries(
        Object.entries(part).map(([name, value]) => [name, value === first[name] ? '' : (value as string)]),
      ),
      how,
    );
  return [values, change];
}
