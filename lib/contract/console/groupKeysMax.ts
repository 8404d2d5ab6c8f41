/** The most keys of a group of failed requests that are named. The page of the console has it, too, which has no file with zod. */
export const groupKeysMax = 25;
