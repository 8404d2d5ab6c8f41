import { useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../../../../lib/contract/webhookDeliveries.ts';
import { useLoading } from '../../loading.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { readDelivery } from '../webhookCalls.ts';
import * as texts from '../webhookTexts.ts';

/** The request to the receiver. It is read when a person opens it. */
export function SentBody({ id, of }: { id: string; of: WebhookDelivery }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {of.attempt_count === 0 ? texts.logWillBeSent : texts.logWasSent}
        <span class="unseen"> {texts.logInEvent(of.event_type)}</span>
      </summary>
      {isOpen && <Body id={id} delivery={of.id} />}
    </details>
  );
}

function Body({ id, delivery }: { id: string; delivery: string }) {
  const loading = useLoading(() => readDelivery(id, delivery), `delivery ${delivery}`);
  return (
    <Loaded loading={loading} what={texts.logReadingBody}>
      {({ body, event_id }) => (
        <>
          <Headers of={event_id} />
          {body === null ? (
            <p class="quiet">{texts.logNotKept}</p>
          ) : (
            <>
              <p>
                {texts.logBody} <CopyButton text={body} name={texts.logReadingBody} />
              </p>
              <pre class="whole">{JSON.stringify(JSON.parse(body), null, 2)}</pre>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

/** The headers by which a receiver verifies an event. */
const Headers = ({ of }: { of: string }) => (
  <dl>
    <dt>{texts.logHeaders.id}</dt>
    <dd>
      <code class="break">{of}</code> <CopyButton text={of} />
    </dd>
    <dt>{texts.logHeaders.signature}</dt>
    <dd class="quiet">{texts.logSignature}</dd>
  </dl>
);
