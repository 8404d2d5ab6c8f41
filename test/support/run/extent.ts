/** The modes of vitest in which what is exhaustive is tried whole. In any other it is a sample. */
export const wholeModes: readonly string[] = ['rest', 'all'];

/** True under `npm run test:rest` and `npm run test:all`. */
export const isWhole = wholeModes.includes(process.env.TEST_EXTENT as string);
