import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { madeByRuns, sourceOf, sources } from '../support/documents/sources.ts';
import { root } from '../support/stack/stackProcess.ts';

test('one word has one meaning: these have been replaced by the standard terms', () => {
  const replaced =
    /\b(doorbells?|bells?|rings?|rung|lanes?|heed(s|ed)?|settle[ds]?|woken|wakes?|placeAt|upkeep|knownOnly|inTurns|nextBatch)\b/i;
  // activity, successor, retry limit, without effect, page through, gap and duplicate, internal error, directly, third-party
  const gone =
    /\b(trails?|happenings?|heirs?|heirOf|tenures?|crowds?|truths?|patience|vain|anew|isAnew|walk(s|ed|ing)?|no doubles?|empty positions?|faults? (of|is) ours|past this system|no work of ours|turns every year|stack away)\b/i;
  for (const file of globSync('test/**/*.ts', {
    cwd: root,
    exclude: [...madeByRuns, 'test/house/words.ts'],
  }))
    expect(replaced.exec(sourceOf(file))?.[0], file).toBeUndefined();
  for (const file of [...sources, ...globSync(['*.md', 'docs/*.md'], { cwd: root })])
    for (const words of [replaced, gone]) expect(words.exec(sourceOf(file))?.[0], file).toBeUndefined();
});
