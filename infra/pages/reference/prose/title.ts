/** The name of the API in the reference. An adopter's package.json replaces it (docs/package.md). */
export const title = 'Postern';
