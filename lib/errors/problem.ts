import { type Constant, ours, type Said, saidOf } from './constant.ts';

/** A problem of a request, for its client and for the people of its account, who look at what failed. */
export interface Problem {
  /** The sentence in the answer. It may quote what the client sent. */
  sentence: string;
  /** The field or parameter by the names of the contract; `null` when it is of none. */
  field: Constant | null;
  /** The rule that was broken. Without a field it is a whole sentence. */
  rule: Constant;
}

/** The part of an error that is kept: nothing that the client sent. */
export interface Kept {
  /** `null` when the problems say it. */
  message: Constant | null;
  problems: readonly { field: Constant | null; message: Constant }[];
  /** The scope that the key lacks, when that is why. */
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

/** A problem for the page that sent the request: its field, and what is wrong with that, which may quote what was sent. */
export interface ShownProblem {
  field: string | null;
  message: string;
}

export const shownProblem = ({ field, sentence }: Problem): ShownProblem => {
  const isOfField = field !== null && sentence.startsWith(`${field} `);
  return { field, message: isOfField ? sentence.slice(field.length + 1) : sentence };
};

export const keptText = (message: Constant): Kept => ({ message, problems: [] });

/** Some requests fail very often in the same way. */
const keptProblemsMax = 10;

/** The longest rule that is kept. Those that list all allowed names are longer. */
const ruleMax = 300;

/** Returns what is kept of problems. */
export const keptOf = (problems: readonly Problem[]): Kept => ({
  message: null,
  problems: problems.slice(0, keptProblemsMax).map(({ field, rule }) => ({
    field,
    message: rule.length > ruleMax ? ours(`${rule.slice(0, ruleMax).toWellFormed()}…`) : rule,
  })),
});
