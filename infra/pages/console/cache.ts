import { sessionState } from './sessionState.ts';

/** The data that was read in this session, by its name. */
export const readBefore = new Map<string, unknown>();

export const forgetRead = (of: string): boolean => readBefore.delete(of);

sessionState.follow(({ kind }) => {
  if (kind !== 'live') readBefore.clear();
});
