import { Icon } from './Icon.tsx';
import * as texts from './texts.ts';

interface Props {
  isReading: boolean;
  again: () => void;
}

/** Reads again what is shown. */
export const RefreshButton = ({ isReading, again }: Props) => (
  <button type="button" onClick={again} disabled={isReading}>
    <Icon name="refresh" /> {texts.refresh}
  </button>
);
