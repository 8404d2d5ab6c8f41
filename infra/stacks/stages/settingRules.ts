import * as z from 'zod';

// Schemas for the settings of stages. An error message shows what is allowed and what was given.

const errorMessage = (rule: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined
      ? `is missing: it must be ${rule}`
      : `must be ${rule}, and is ${JSON.stringify(input)}`,
});

export const flag = () => z.boolean(errorMessage('true or false'));

/** A whole number. @param unit its unit for error messages, such as `seconds` */
export function whole(min: number, max: number, unit: string) {
  const rule = errorMessage(`a whole number of ${unit} from ${min} to ${max}`);
  return z
    .int({ ...rule, abort: true })
    .min(min, rule)
    .max(max, rule);
}

export const oneOf = <Value extends string | number>(values: readonly Value[], unit = '') =>
  z.literal([...values], errorMessage(`one of ${values.join(', ')}${unit}`));

/** A string. @param rule a description with an example, for error messages */
export const textLike = (pattern: RegExp, rule: string) =>
  z.string(errorMessage(rule)).regex(pattern, errorMessage(rule));

/** The name of a host in lower case, with a dot. */
export const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

export const roleArn = () =>
  textLike(
    /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
    'the ARN of a role of IAM like "arn:aws:iam::<account>:role/<name>"',
  );

/** A list of at most `max` different texts. @param rule a description of the list with an example, for error messages */
export function textsLike(pattern: RegExp, max: number, rule: string) {
  const error = errorMessage(rule);
  const areDifferent = (texts: string[]) => new Set(texts).size === texts.length;
  return z
    .array(textLike(pattern, `one of ${rule}`), error)
    .max(max, error)
    .refine(areDifferent, error);
}

/** An object. Unknown names are errors, so that a misspelt setting is noticed. */
export const group = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `is not known here (allowed: ${Object.keys(shape).join(', ')})`
        : errorMessage(`an object with ${Object.keys(shape).join(', ')}`).error(issue),
  });
