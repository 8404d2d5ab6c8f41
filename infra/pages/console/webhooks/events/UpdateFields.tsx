import names from 'console:fields';
import { useState } from 'preact/hooks';
import { isSubscribed } from '../../../../../lib/contract/eventTypes.ts';
import { type ResourceType, resources, resourceTypes, wordsFor } from '../../../../../lib/resources/index.ts';
import { Box } from '../../parts/Box.tsx';
import * as texts from '../webhookTexts.ts';
import type { Subscribed } from '../webhookWords.ts';

const fields = names as Record<ResourceType, string[]>;

/** The resources of whose updates a subscription to these types is told. */
const updatedBy = (event_types: readonly Subscribed[]) =>
  resourceTypes.filter((type) => isSubscribed(event_types, `${type}.updated`));

/** Keeps those of the chosen fields that the types of events allow; null for no choice. */
export function allowedOf(
  chosen: readonly string[] | null,
  event_types: readonly Subscribed[],
): string[] | null {
  const types = updatedBy(event_types);
  const known = types.flatMap((type) => fields[type]);
  return chosen && types.length > 0 ? chosen.filter((name) => known.includes(name)).sort() : null;
}

interface Props {
  event_types: readonly Subscribed[];
  /** Null for all. */
  chosen: readonly string[] | null;
  problem: string | undefined;
  choose: (chosen: string[] | null) => void;
}

/** The fields of which one must change for an update to be sent. */
export function UpdateFields({ event_types, chosen, problem, choose }: Props) {
  const [first] = useState(chosen ?? []);
  const types = updatedBy(event_types);
  if (types.length === 0) return null;
  return (
    <fieldset>
      <legend>{texts.factsUpdates}</legend>
      <Box checked={chosen !== null} change={(checked) => choose(checked ? [] : null)}>
        {texts.formOnlyFields} <span class="quiet">{texts.formOthersAnyway}</span>
      </Box>
      {chosen &&
        types.map((type) => (
          <details key={type} open={types.length === 1 || fields[type].some((name) => first.includes(name))}>
            <summary>{texts.formFieldsOf(wordsFor(resources[type]))}</summary>
            {fields[type].map((name) => (
              <Box
                key={name}
                checked={chosen.includes(name)}
                change={(checked) =>
                  choose(checked ? [...chosen, name] : chosen.filter((one) => one !== name))
                }
              >
                <code>{name}</code>
              </Box>
            ))}
          </details>
        ))}
      <p class="problem" role="alert">
        {problem}
      </p>
    </fieldset>
  );
}
