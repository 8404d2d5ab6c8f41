/** A sentence that says what is allowed. It follows the name of the field, so it starts with "must be". */
export type Rule = string;

/** The rule as a zod error. Its message for a missing value differs from that for a wrong one. */
export const ruleError = (rule: Rule) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? `is required and ${rule}` : rule),
});
