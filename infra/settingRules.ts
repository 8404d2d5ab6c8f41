import * as z from 'zod';

// The kinds of settings that stages have. Who sets one wrong is told what is allowed, and what was given.

const errorMessage = (rule: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined
      ? `is missing: it must be ${rule}`
      : `must be ${rule}, and is ${JSON.stringify(input)}`,
});

export const flag = () => z.boolean(errorMessage('true or false'));

/** @param unit what it counts, as it stands in a sentence: `seconds` */
export function whole(min: number, max: number, unit: string) {
  const rule = errorMessage(`a whole number of ${unit} from ${min} to ${max}`);
  return z
    .int({ ...rule, abort: true })
    .min(min, rule)
    .max(max, rule);
}

/** One of several numbers or words. */
export const oneOf = <Value extends string | number>(values: readonly Value[], unit = '') =>
  z.literal([...values], errorMessage(`one of ${values.join(', ')}${unit}`));

/** @param rule what the text is, with an example */
export const textLike = (pattern: RegExp, rule: string) =>
  z.string(errorMessage(rule)).regex(pattern, errorMessage(rule));

/** Settings of which every one is known: a misspelt name is refused, and not passed over. */
export const group = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `is not known here (there are ${Object.keys(shape).join(', ')})`
        : errorMessage(`an object with ${Object.keys(shape).join(', ')}`).error(issue),
  });
