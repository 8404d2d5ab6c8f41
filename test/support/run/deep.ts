/** True under `npm run test:deep`, which runs far more random cases than a usual run. */
export const isDeep = process.env.DEEP === '1';
