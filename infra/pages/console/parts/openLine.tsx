import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { changeQuery } from '../addressHistory.ts';
import { useLoading } from '../loading.ts';
import { route } from '../route.ts';
import { useStore } from '../store.ts';
import { Loaded } from './Loaded.tsx';

/** Tells which line of a list is open: the one whose id the address has, or the request that is looked for, which needs no click. */
function useOpenId(): string {
  const { open, request } = useStore(route).query;
  return open ?? request ?? '';
}

/** The line of a list with details, which an address can open. */
export function useOpened(id: string) {
  const isOpen = useOpenId() === id;
  const line = useRef<HTMLTableRowElement>(null);
  // A link leads to it. The scroll of an entry that was shown before is restored after this.
  useLayoutEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return { isOpen, line, toggle: () => changeQuery({ open: isOpen ? '' : id }) };
}

interface ElsewhereProps<T> {
  /** The ids that are listed. */
  listed: readonly string[];
  /** Names what is read. */
  what: string;
  read: (id: string) => Promise<T>;
  children: (found: T) => ComponentChildren;
}

/** The open line when it is not among those that are listed. */
export function Elsewhere<T>({ listed, ...props }: ElsewhereProps<T>) {
  const id = useOpenId();
  return id === '' || listed.includes(id) ? null : <One key={id} id={id} {...props} />;
}

function One<T>({ id, what, read, children }: Omit<ElsewhereProps<T>, 'listed'> & { id: string }) {
  const loading = useLoading(async () => ({ found: await read(id) }), `open ${what} ${id}`);
  return (
    <Loaded loading={loading} what={what}>
      {({ found }) => children(found)}
    </Loaded>
  );
}
