import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Loading } from '../loading.ts';
import { hrefOf, route } from '../route.ts';
import { restoreScroll } from '../scroll.ts';
import { Heading } from './Heading.tsx';
import { Notice } from './Notice.tsx';
import * as texts from './partTexts.ts';

interface Props<T> {
  loading: Loading<T>;
  /** Names the data: "API keys". */
  what: string;
  /** True if the view shows this single item. */
  isView?: boolean;
  children: (data: T) => ComponentChildren;
}

/** Shows data; before that, that it is being read, or why it was not. */
export function Loaded<T>({ loading, what, isView = false, children }: Props<T>) {
  const { data, problem, isReading, again } = loading;
  useLayoutEffect(restoreScroll, [data === undefined]);
  // Asking again for something that cannot be does not help.
  const isWrong = problem?.status === 404 || problem?.status === 400;
  if (isView && isWrong && !isReading)
    return <Heading title={texts.missing(what)} about={texts.missingAbout(route.get().id)} />;
  return (
    <>
      <div role="status" class={data === undefined && isReading ? 'wait' : 'unseen'}>
        {isReading ? texts.loading(what) : ''}
      </div>
      {problem && !isReading && (
        <Notice tone="bad">
          <p role="alert">
            {texts.notRead(what, problem.message)}
            {data !== undefined && texts.readBefore}
          </p>
          {isWrong ? (
            <a href={hrefOf(route.get().tab, route.get().id)}>{texts.withoutQuery}</a>
          ) : (
            <button type="button" onClick={again}>
              {texts.tryAgain}
            </button>
          )}
        </Notice>
      )}
      {data !== undefined && children(data)}
    </>
  );
}
