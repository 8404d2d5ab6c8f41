import { Notice } from '../parts/Notice.tsx';
import { mayChange } from '../sessionState.ts';
import * as texts from './texts.ts';

/** What it means that a subscription is suspended, and how it ends. */
export const Suspended = () => (
  <Notice tone="warn">
    <p>
      <strong>{texts.suspended}</strong> {texts.suspendedAbout}
      {mayChange() && texts.suspendedResume}
    </p>
  </Notice>
);
