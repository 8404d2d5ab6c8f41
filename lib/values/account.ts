/** The rule for accounts. It follows the name of a field or an option. */
export const accountRule =
  'must be an account: 1 to 64 characters of A-Z a-z 0-9 _ -, of which the first is a letter or digit';

/** The account is the first part of every key in the database, so no separator of ours may be in it. */
export const accountShape = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Whether a value can be an account. Input must be checked by this before it becomes a part of a key. */
export const isAccount = (value: unknown): value is string =>
  typeof value === 'string' && accountShape.test(value);
