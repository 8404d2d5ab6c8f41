import { useLayoutEffect, useState } from 'preact/hooks';

/** A value that components follow. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  /** @returns what ends it */
  follow(listener: (value: T) => void): () => void;
}

export function store<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<(value: T) => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener(next);
    },
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value of a store. The component is drawn again when it changes. */
export function useStore<T>(followed: Store<T>): T {
  const [, draw] = useState({});
  const drawn = followed.get();
  useLayoutEffect(() => {
    // It may have changed between the drawing and this.
    if (followed.get() !== drawn) draw({});
    return followed.follow(() => draw({}));
  }, [followed]);
  return drawn;
}
