// The first view does not need these. They are one file, which is fetched after it.
export { KeyDialogs } from './keys/KeyDialogs.tsx';
export { OtherSession } from './shell/OtherSession.tsx';
export { Others } from './shell/Others.tsx';
export { FailingDot } from './webhooks/FailingDot.tsx';
