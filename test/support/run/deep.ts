/** True under `npm run test:deep`, which tries far more random cases than there is time for on every change. */
export const isDeep = process.env.DEEP === '1';
