/** A problem of a request, for its client and for the people of its account, who look at what failed. */
export interface Problem {
  /** The sentence in the answer. It may quote what the client sent. */
  sentence: string;
  /** The field or parameter by the names of the contract; `null` when it is of none. */
  field: string | null;
  /** What is allowed, without anything that the client sent. Without a field it is a whole sentence. */
  rule: string;
}

/** What is kept of an error: nothing that the client sent. */
export interface Kept {
  /** `null` when the problems say it. */
  message: string | null;
  problems: readonly { field: string | null; message: string }[];
}

/** @param rule a constant, or made of what is ours */
export const problemOf = (field: string, rule: string): Problem => ({
  sentence: `${field} ${rule}`,
  field,
  rule,
});

/** @param sentence a constant, or made of what is ours. @param shown the same for the client, when it quotes what the client sent */
export const problemOfNoField = (sentence: string, shown = sentence): Problem => ({
  sentence: shown,
  field: null,
  rule: sentence,
});

/** A message that can be kept as it is. */
export const keptText = (message: string): Kept => ({ message, problems: [] });

/** Of a request that fails very often in the same way. */
const keptProblemsMax = 10;

/** The longest rule that is kept. Those that list all allowed names are longer. */
const ruleMax = 300;

/** What is kept of problems. One that is only text may quote the client, so it is not kept. */
export const keptOf = (problems: readonly (string | Problem)[]): Kept => ({
  message: null,
  problems: problems
    .filter((problem) => typeof problem !== 'string')
    .slice(0, keptProblemsMax)
    .map(({ field, rule }) => ({
      field,
      message: rule.length > ruleMax ? `${rule.slice(0, ruleMax).toWellFormed()}…` : rule,
    })),
});
