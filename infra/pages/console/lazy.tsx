import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Notice } from './parts/Notice.tsx';

/**
 * A view whose script is fetched after that of the first one, so that the first one is there sooner.
 * @param isExtra whether nothing is missing without it
 * @returns also what fetches it before it is asked for
 */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>, isExtra = false) {
  let loaded: ComponentType<Props> | undefined;
  const fetch = async (): Promise<ComponentType<Props>> => {
    loaded ??= await load();
    return loaded;
  };
  function View(props: Props) {
    const [Loaded, show] = useState(() => loaded);
    const [isFailed, fail] = useState(false);
    useEffect(() => {
      fetch().then(
        (component) => show(() => component),
        () => fail(true),
      );
    }, []);
    if (Loaded) return <Loaded {...props} />;
    if (isExtra) return null;
    return isFailed ? <Failed /> : <p class="wait">Loading…</p>;
  }
  // A failure is tried again when the view is needed.
  return { View, fetch: () => void fetch().catch(() => {}) };
}

/** Also after a release: the files of the page before it are gone. */
const Failed = () => (
  <Notice tone="bad">
    <p role="alert">This part of the page could not be loaded.</p>
    <button type="button" onClick={() => location.reload()}>
      Load the page again
    </button>
  </Notice>
);
