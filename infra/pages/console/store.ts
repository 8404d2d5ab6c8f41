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
  const [value, show] = useState({ of: followed.get() });
  useLayoutEffect(() => {
    show({ of: followed.get() });
    return followed.follow((next) => show({ of: next }));
  }, [followed]);
  return value.of;
}
