import { useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../../../lib/contract/webhookDeliveries.ts';
import { useLoading } from '../loading.ts';
import { Loaded } from '../parts/Loaded.tsx';
import { readDelivery } from './calls.ts';

/** What was sent to the receiver. It is read when a person opens it. */
export function SentBody({ id, of }: { id: string; of: WebhookDelivery }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {of.attempt_count === 0 ? 'What will be sent' : 'What was sent'}
        <span class="unseen"> in {of.event_type}</span>
      </summary>
      {isOpen && <Body id={id} delivery={of.id} />}
    </details>
  );
}

function Body({ id, delivery }: { id: string; delivery: string }) {
  const loading = useLoading(() => readDelivery(id, delivery), delivery);
  return (
    <Loaded loading={loading} what="body">
      {({ body }) =>
        body === null ? <p class="quiet">It is no longer kept.</p> : <pre class="whole">{indented(body)}</pre>
      }
    </Loaded>
  );
}

/** The text of a body in lines, for reading. */
const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
