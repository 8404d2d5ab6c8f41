import { useEffect } from 'preact/hooks';
import { store, useStore } from '../store.ts';

const shown = store('');

const shownMs = 6000;

/** Says in one sentence that something was done. */
export const toast = (text: string): void => shown.set(text);

/** The one place for such sentences. It empties. */
export function Toasts() {
  const text = useStore(shown);
  useEffect(() => {
    if (!text) return;
    const end = setTimeout(() => shown.set(''), shownMs);
    return () => clearTimeout(end);
  }, [text]);
  return (
    <div class="toasts" role="status">
      {text && <p>{text}</p>}
    </div>
  );
}
