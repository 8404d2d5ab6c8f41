/** One sentence that says what is allowed. The client reads it after the name of the field, so it starts with "must be". */
export type Rule = string;

/** The rule as a zod error, which also tells a value that is missing from one that is wrong. */
export const says = (rule: Rule) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? `is required and ${rule}` : rule),
});
