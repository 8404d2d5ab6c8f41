import { useLayoutEffect, useRef } from 'preact/hooks';
import { reveal } from '../route.ts';

/** The line of a table, which is scrolled to when a link has opened it. */
export function useRevealed(isOpen: boolean) {
  const line = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    if (isOpen && line.current) reveal(line.current);
  }, [isOpen]);
  return line;
}
