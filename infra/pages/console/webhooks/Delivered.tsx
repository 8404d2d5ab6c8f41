import type { WebhookDelivery } from '../../../../lib/contract/webhookDeliveries.ts';
import type { Outcomes } from './outcomes.ts';
import * as texts from './texts.ts';
import { type Shown, shownStatus, successRate } from './words.ts';

interface Props {
  outcomes: Outcomes | undefined;
  again: () => void;
}

/** How many of the latest deliveries have arrived; until that is known, that it is not. */
export function Delivered({ outcomes, again }: Props) {
  if (outcomes === undefined)
    return (
      <span class="quiet">
        <span aria-hidden="true">…</span>
        <span class="unseen">{texts.loading}</span>
      </span>
    );
  if ('problem' in outcomes)
    return (
      <span class="unknown">
        {texts.notKnown}{' '}
        <button type="button" class="link" onClick={again}>
          {texts.tryAgain}
        </button>
      </span>
    );
  const { deliveries } = outcomes;
  if (deliveries.length === 0) return <span class="quiet">{texts.nothingLately}</span>;
  return (
    <>
      <OutcomeChart of={deliveries} />
      <Legend of={deliveries} />
      <small>{successRate(deliveries) ?? texts.noneEnded}</small>
    </>
  );
}

/** The classes of the colours, from the bottom. */
const tones = {
  succeeded: 'tone-2xx',
  failed: 'tone-5xx',
  retrying: 'tone-4xx',
  pending: 'tone-pending',
  cancelled: 'tone-cancelled',
} satisfies Record<Shown, string>;

const kinds = Object.entries(tones) as [Shown, string][];

const countOf = (of: readonly WebhookDelivery[], kind: Shown): number =>
  of.filter((one) => shownStatus(one) === kind).length;

/** What the colours mean, with the numbers. */
const Legend = ({ of }: { of: readonly WebhookDelivery[] }) => (
  <small class="badges">
    {kinds
      .filter(([kind]) => countOf(of, kind) > 0)
      .map(([kind, tone]) => (
        <span key={kind} class="legend">
          <span class={`swatch ${tone}`} />
          {texts.outcome(countOf(of, kind), kind)}
        </span>
      ))}
  </small>
);

const bars = 25;
const [step, gap, height] = [5, 1, 22];

/** Bars of the latest deliveries, the oldest first, several in each: what has arrived, above it what has failed or is tried again, and what waits. */
function OutcomeChart({ of }: { of: readonly WebhookDelivery[] }) {
  const each = Math.max(1, Math.ceil(of.length / bars));
  const oldestFirst = [...of].reverse();
  const groups = Array.from({ length: Math.ceil(of.length / each) }, (_, n) =>
    oldestFirst.slice(n * each, (n + 1) * each),
  );
  return (
    <svg class="outcomes" width={bars * step} height={height} aria-hidden="true">
      {groups.map((group, n) => {
        let y = height;
        return kinds.map(([kind, tone]) => {
          const count = countOf(group, kind);
          const size = (count / each) * height;
          y -= size;
          return (
            count > 0 && (
              <rect
                key={`${n} ${kind}`}
                class={tone}
                x={(bars - groups.length + n) * step}
                y={y}
                width={step - gap}
                height={size}
              />
            )
          );
        });
      })}
    </svg>
  );
}
