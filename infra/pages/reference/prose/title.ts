/** What the reference calls the API. A repository with this project as a dependency has its own (docs/package.md). */
export const title = 'Postern';
