/** The permissions of operations that an adopter adds. The command `postern` writes this file (docs/package.md). */
export const ownPermissions = {};
