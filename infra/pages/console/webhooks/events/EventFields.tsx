import { Box } from '../../parts/Box.tsx';
import { InReference } from '../../parts/InReference.tsx';
import * as texts from '../webhookTexts.ts';
import { catalogue, eventWords, type Subscribed } from '../webhookWords.ts';

interface Props {
  chosen: Subscribed[];
  problem: string | undefined;
  choose: (event_types: Subscribed[]) => void;
}

/** Types of events, one by one, all of a resource, or all. */
export function EventFields({ chosen, problem, choose }: Props) {
  const box = (type: Subscribed, words: string, isImplied = false) => (
    <Box
      key={type}
      checked={isImplied || chosen.includes(type)}
      disabled={isImplied}
      change={(checked) => choose(checked ? [...chosen, type] : chosen.filter((one) => one !== type))}
    >
      {words} {type !== '*' && <code>{type}</code>}
    </Box>
  );
  const hasAll = chosen.includes('*');
  const countOf = (all: Subscribed, types: readonly Subscribed[]) =>
    hasAll || chosen.includes(all) ? types.length : types.filter((type) => chosen.includes(type)).length;
  return (
    <fieldset>
      <legend>{texts.factsEvents}</legend>
      {catalogue.map(({ words, all, types }) => (
        <details key={all} open>
          <summary>
            {words} <span class="quiet">{texts.formChosen(countOf(all, types), types.length)}</span>
          </summary>
          {box(all, texts.formAllOf(words.toLowerCase()), hasAll)}
          {types.map((type) => (
            <div key={type} class="event">
              {box(type, eventWords(type), hasAll || chosen.includes(all))}
              <InReference page={`events.html#${type}`} isExtra>
                {texts.exampleShow}
                <span class="unseen"> {texts.exampleOf(type)}</span>
              </InReference>
            </div>
          ))}
        </details>
      ))}
      {box('*', texts.formAll)}
      <p class="problem" role="alert">
        {problem}
      </p>
    </fieldset>
  );
}
