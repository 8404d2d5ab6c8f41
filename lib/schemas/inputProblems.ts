import type * as z from 'zod';
import { type Constant, constant, ours } from '../errors/constant.ts';
import { type Problem, problemOfNoField } from '../errors/problem.ts';
import { hintOf, sentence, shown, unknownNames } from './problemMessages.ts';
import { type Definition, unwrapped } from './reading.ts';

type Issue = z.ZodError['issues'][number];

/**
 * Returns the problems of an input that a schema refuses. A schema's message is a rule of the contract and quotes nothing. The compiler cannot
 * check this, so test/canaries.unit.test.ts tries every refusal.
 */
export const inputProblems = (schema: z.ZodType, issues: readonly Issue[] = []): Problem[] => {
  const problems = issues.flatMap((issue) => {
    const { path } = issue;
    const message = ours(issue.message);
    // The client chose this name.
    if (issue.code === 'unrecognized_keys')
      return unknownNames(issue).map((one) =>
        problemOfNoField({ shown: one, kept: constant`A field or parameter ${message}` }),
      );
    const field = fieldOf(schema, path);
    if (field === null) return problemOfNoField({ shown: sentence(path, message, shown), kept: message });
    return { sentence: sentence(path, message, shown) + hintOf(issue), field, rule: message };
  });
  // An empty text has a length, so a list that needs entries refuses it twice.
  const bySentence = new Map<string, Problem>();
  for (const one of problems) if (!bySentence.has(one.sentence)) bySentence.set(one.sentence, one);
  return [...bySentence.values()];
};

/** Returns the path to a field in the names of the schema, with `*` for each name that the client may have invented; `null` for the whole input. */
function fieldOf(schema: z.ZodType, path: readonly PropertyKey[]): Constant | null {
  let at: z.ZodType | undefined = schema;
  let name = '';
  for (const part of path) {
    const def: Definition | undefined = at && unwrapped(at);
    if (typeof part === 'number') name += `[${part}]`;
    else {
      const known = def?.shape !== undefined && Object.hasOwn(def.shape, part);
      name += `${name && '.'}${known ? String(part) : '*'}`;
    }
    at = typeof part === 'number' ? def?.element : def?.shape?.[part as string];
  }
  return name === '' ? null : ours(name);
}
