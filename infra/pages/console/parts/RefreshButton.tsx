import type { Loading } from '../loading.ts';
import { Icon } from './Icon.tsx';
import * as texts from './partTexts.ts';

/** Reloads the data of the view. */
export const RefreshButton = ({ isReading, again }: Pick<Loading<unknown>, 'isReading' | 'again'>) => (
  <button type="button" onClick={again} disabled={isReading}>
    <Icon name="refresh" /> {texts.refresh}
  </button>
);
