import { useState } from 'preact/hooks';
import { resources, resourceTypes } from '../../../../lib/resources/index.ts';
import { go } from '../addressHistory.ts';
import { TextField } from '../parts/Field.tsx';
import { hrefOf, route } from '../route.ts';
import { useStore } from '../store.ts';
import * as texts from './shellTexts.ts';

const delivered = ['dlv', 'evt', ...resourceTypes.map((type) => resources[type].prefix)];

/** The address that shows what the id in a text names; undefined if there is none. */
export function hrefOfId(text: string): string | undefined {
  const [id = text.trim(), prefix = ''] = /\b([a-z]{3})_[0-9a-z]{24}\b/.exec(text) ?? [];
  if (prefix === 'key') return hrefOf('keys', id);
  if (prefix === 'whs') return hrefOf('webhooks', id);
  if (delivered.includes(prefix))
    return hrefOf('webhooks', undefined, { find: id, open: prefix === 'dlv' ? id : '' });
  // Its ids are those of API Gateway, unless the client sent a UUID of its own.
  const isRequest =
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) || /^[A-Za-z0-9+/-]{10,62}={1,2}$/.test(id);
  return isRequest ? hrefOf('failed-requests', undefined, { request: id }) : undefined;
}

/** The box for every id: of a key, a subscription, a delivery, an event, a record or a request. */
export function FindId() {
  const { find: found = '', request = found } = useStore(route).query;
  // Until somebody types, the box has what the address asks for.
  const [typed = request, type] = useState<string>();
  const [problem, say] = useState('');
  const find = (event: Event) => {
    event.preventDefault();
    const href = hrefOfId(typed);
    say(href || typed.trim() === '' ? '' : texts.findUnknown);
    if (!href) return;
    type(undefined);
    go(href);
  };
  return (
    <search>
      <form class="find" onSubmit={find} noValidate>
        <TextField
          label={texts.findLabel}
          problem={problem}
          type="search"
          value={typed}
          placeholder={texts.findHint}
          maxLength={128}
          autocomplete="off"
          change={(text) => {
            type(text);
            say('');
          }}
        />
      </form>
    </search>
  );
}
