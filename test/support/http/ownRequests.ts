/** Requests of operations that a repository with this project as a dependency adds (docs/package.md). Here there are none. */
export const ownRequests = {};
