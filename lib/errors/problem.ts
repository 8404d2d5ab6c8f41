import { type Constant, ours, type Said, saidOf } from './constant.ts';

/** A problem of a request, for its client, and for the people of its account who look at failed requests. */
export interface Problem {
  /** The sentence in the response. It may quote what the client sent. */
  sentence: string;
  /** The field or parameter, as the contract names it; `null` if the problem concerns no field. */
  field: Constant | null;
  /** The broken rule. Without a field, it is a complete sentence. */
  rule: Constant;
}

/** The part of an error to keep. It contains nothing from the client. */
export interface Kept {
  /** `null` if the problems already say it. */
  message: Constant | null;
  problems: readonly { field: Constant | null; message: Constant }[];
  /** The scope that the key lacks, if that is the cause. */
  missingScope?: string;
}

export function problemOf(field: Constant, rule: Constant | Said): Problem {
  const { shown, kept } = saidOf(rule);
  return { sentence: `${field} ${shown}`, field, rule: kept };
}

export function problemOfNoField(sentence: Constant | Said): Problem {
  const { shown, kept } = saidOf(sentence);
  return { sentence: shown, field: null, rule: kept };
}

/** A problem for the page that sent the request: its field and a message, which may quote the request. */
export interface ShownProblem {
  field: string | null;
  message: string;
}

export const shownProblem = ({ field, sentence }: Problem): ShownProblem => {
  const isOfField = field !== null && sentence.startsWith(`${field} `);
  return { field, message: isOfField ? sentence.slice(field.length + 1) : sentence };
};

export const keptText = (message: Constant): Kept => ({ message, problems: [] });

/** Limits how many problems are kept, because some requests fail very often in the same way. */
const keptProblemsMax = 10;

/** The longest rule to keep. Rules that list all allowed names are longer. */
const ruleMax = 300;

/** Returns the part of problems to keep. */
export const keptOf = (problems: readonly Problem[]): Kept => ({
  message: null,
  problems: problems.slice(0, keptProblemsMax).map(({ field, rule }) => ({
    field,
    message: rule.length > ruleMax ? ours(`${rule.slice(0, ruleMax).toWellFormed()}…`) : rule,
  })),
});
