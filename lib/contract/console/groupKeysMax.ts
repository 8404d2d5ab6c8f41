/** How many keys of a group of failed requests are named at most. It has its own file because the console's page imports it, and no file with zod. */
export const groupKeysMax = 25;
