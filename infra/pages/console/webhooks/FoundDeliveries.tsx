import { useLoading } from '../loading.ts';
import { Empty } from '../parts/Empty.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Cell, Table } from '../parts/Table.tsx';
import { Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { findDeliveries, readSubscriptions } from './calls.ts';
import { Status } from './log/DeliveryTable.tsx';
import * as texts from './texts.ts';

/** The deliveries of all subscriptions that an id names. */
export function FoundDeliveries({ id }: { id: string }) {
  const loading = useLoading(() => findDeliveries(id), `deliveries of ${id}`);
  // Without the names, the ids are shown.
  const { data: subscriptions = [] } = useLoading(readSubscriptions, 'webhooks');
  const nameOf = (subscription: string) => {
    const found = subscriptions.find((one) => one.id === subscription);
    return found?.description ?? found?.url ?? subscription;
  };
  const [, subscription, status, when] = texts.foundColumns;
  return (
    <>
      <p class="back">
        <a href={hrefOf('webhooks')}>{texts.back}</a>
      </p>
      <Heading title={texts.foundTitle} about={<code class="break">{id}</code>} />
      <Loaded loading={loading} what={texts.logReading}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty about={texts.foundNone}>
              <a class="button" href={hrefOf('webhooks')}>
                {texts.toAll}
              </a>
            </Empty>
          ) : (
            <>
              <Table class="cards" caption={texts.logTitle} columns={texts.foundColumns}>
                {data.map((of) => (
                  <tr key={`${of.subscription_id} ${of.id}`}>
                    <th scope="row">
                      <a href={hrefOf('webhooks', of.subscription_id, { open: of.id })}>{of.event_type}</a>
                      {of.resource.id !== id && <small class="break">{of.resource.id}</small>}
                    </th>
                    <Cell of={subscription}>
                      <a href={hrefOf('webhooks', of.subscription_id)}>{nameOf(of.subscription_id)}</a>
                    </Cell>
                    <Cell of={status} class="bare">
                      <Status of={of} />
                    </Cell>
                    <Cell of={when} class="bare">
                      <Time at={of.created_at} />
                    </Cell>
                  </tr>
                ))}
              </Table>
              {has_more && <p class="note">{texts.foundMore}</p>}
            </>
          )
        }
      </Loaded>
    </>
  );
}
