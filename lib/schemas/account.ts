/** The rule for accounts. The name of a field or an option precedes it. */
export const accountRule =
  'must be an account: 1 to 64 characters of A-Z a-z 0-9 _ -, of which the first is a letter or digit';

/** The account is the first part of every database key, so it must not contain any of our separators. */
export const accountShape = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Returns whether a value can be an account. Check input with this before it becomes part of a key. */
export const isAccount = (value: unknown): value is string =>
  typeof value === 'string' && accountShape.test(value);
