/** The maximum number of keys that a group of failed requests names. It has its own file because the console's page imports it, but must not import zod. */
export const groupKeysMax = 25;
