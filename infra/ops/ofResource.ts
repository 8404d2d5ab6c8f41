import type { Argument, Option } from 'commander';
import { statedResource, typeOfPath } from '../../lib/contract/inbox.ts';

/** One of the resources, in any spelling that surely means it, as in the inbox. */
export function ofResource<Choice extends Argument | Option>(choice: Choice): Choice {
  choice.choices(Object.keys(typeOfPath));
  const { parseArg } = choice;
  choice.argParser((value: string, before: unknown) =>
    parseArg?.call(choice, statedResource(value) ?? value, before as never),
  );
  return choice;
}
