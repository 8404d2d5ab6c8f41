import { useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../../../../lib/contract/webhookDeliveries.ts';
import { useLoading } from '../../loading.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { readDelivery } from '../calls.ts';
import { texts } from './texts.ts';

/** What was sent to the receiver. It is read when a person opens it. */
export function SentBody({ id, of }: { id: string; of: WebhookDelivery }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {of.attempt_count === 0 ? texts.log.willBeSent : texts.log.wasSent}
        <span class="unseen"> {texts.log.inEvent(of.event_type)}</span>
      </summary>
      {isOpen && <Body id={id} delivery={of.id} />}
    </details>
  );
}

function Body({ id, delivery }: { id: string; delivery: string }) {
  const loading = useLoading(() => readDelivery(id, delivery), `delivery ${delivery}`);
  return (
    <Loaded loading={loading} what={texts.log.readingBody}>
      {({ body }) =>
        body === null ? <p class="quiet">{texts.log.notKept}</p> : <pre class="whole">{indented(body)}</pre>
      }
    </Loaded>
  );
}

/** The text of a body in lines, for reading. */
const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
