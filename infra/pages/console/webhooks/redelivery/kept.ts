import { keep, kept } from '../../storage.ts';

const name = (subscription: string): string => `console-redelivery ${subscription}`;

/** The id of the redelivery of many that this tab has begun, so that its progress is shown after the page was loaded again, too. */
export function keptRedelivery(subscription: string): string | undefined {
  const id = kept('sessionStorage', name(subscription));
  return typeof id === 'string' ? id : undefined;
}

export const keepRedelivery = (subscription: string, id: string | undefined): void =>
  keep('sessionStorage', name(subscription), id);
