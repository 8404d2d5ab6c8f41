/** The modes of vitest in which what is exhaustive is tried whole. In any other it is a sample. */
export const wholeModes: readonly string[] = ['all', 'deep'];

const mode = process.env.TEST_EXTENT as string;

/** True under `npm run test:all` and `npm run test:deep`. */
export const isWhole = wholeModes.includes(mode);

/** True under `npm run test:deep`, which repeats so often that it takes a quarter of an hour longer. */
export const isDeep = mode === 'deep';
