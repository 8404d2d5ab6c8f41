import type { ComponentChildren } from 'preact';
import type { Loading } from '../loading.ts';
import { Notice } from './Notice.tsx';

interface Props<T> {
  loading: Loading<T>;
  /** What is read: "API keys". */
  what: string;
  children: (data: T) => ComponentChildren;
}

/** What was read; until then that it is being read, or why it was not. */
export function Loaded<T>({ loading: { data, problem, isReading, again }, what, children }: Props<T>) {
  return (
    <>
      <div role="status" class={data === undefined && isReading ? 'wait' : 'unseen'}>
        {isReading ? `Loading ${what}…` : ''}
      </div>
      {problem && !isReading && (
        <Notice tone="bad">
          <p role="alert">
            The {what} could not be read. {problem.message}
          </p>
          <button type="button" onClick={again}>
            Try again
          </button>
        </Notice>
      )}
      {data !== undefined && children(data)}
    </>
  );
}
