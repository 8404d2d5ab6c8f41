import type {
  FailedRequest,
  FailureGroupsAnswer,
  NotKept,
} from '../../../../lib/contract/console/consoleUsage.ts';
import { useLoading } from '../loading.ts';
import { Empty } from '../parts/Empty.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Notice } from '../parts/Notice.tsx';
import { OlderButton } from '../parts/OlderButton.tsx';
import { Elsewhere } from '../parts/openLine.tsx';
import { RefreshButton } from '../parts/RefreshButton.tsx';
import { usePages } from '../parts/usePages.ts';
import { hrefOf } from '../route.ts';
import { atMinute } from '../shownTimes.ts';
import { useChosen } from '../useChosen.ts';
import { Advice } from './Advice.tsx';
import { FailureFilters } from './FailureFilters.tsx';
import { FailureTable, RequestsOfGroup, Status } from './FailureTable.tsx';
import {
  anyFailure,
  type FailureFilter,
  type Failures,
  isGrouped,
  nameOf,
  readFailures,
  readGroups,
} from './failureCalls.ts';
import * as texts from './failureTexts.ts';
import { GroupTable } from './GroupTable.tsx';
import { Why } from './Why.tsx';

export function FailuresTab() {
  const [filter, change] = useChosen<FailureFilter>(anyFailure, {
    status: ['', '4xx', '5xx'],
    hours: ['', '1', '24', '168'],
    view: ['', 'requests'],
  });
  const grouped = isGrouped(filter);
  const name = `${grouped} ${nameOf(filter)}`;
  const loading = usePages<Failures>(async (known) => {
    if (!grouped) return readFailures(filter, known?.next);
    const groups = await readGroups(filter);
    return { data: [], not_kept: groups.not_kept, groups };
  }, name);
  return (
    <>
      <Heading title={texts.title} about={texts.about}>
        <RefreshButton isReading={loading.isReading} again={loading.again} />
      </Heading>
      {filter.group || filter.request ? (
        <p class="back">
          <a href={hrefOf('failed-requests', undefined, { ...filter, group: '', request: '' })}>
            {texts.allGroups}
          </a>
        </p>
      ) : (
        <FailureFilters filter={filter} change={change} />
      )}
      <Loaded loading={loading} what={texts.reading}>
        {(listed) =>
          listed.groups ? (
            <Groups of={listed.groups} filter={filter} />
          ) : (
            <Requests key={name} of={listed} older={loading.older} filter={filter} />
          )
        }
      </Loaded>
    </>
  );
}

/** How many requests are only counted, above those that are kept. @param so what that means for these */
const Lost = ({ count, so, of: { key } }: { count: number; so: string; of: FailureFilter }) =>
  count > 0 ? (
    <Notice tone="info">
      <p>
        {texts.notKept(count)} {so} <a href={hrefOf('usage', undefined, { key })}>{texts.inUsage}</a>
      </p>
    </Notice>
  ) : null;

const sumOf = (lost: NotKept): number => lost['4xx'] + lost['5xx'];

/** How many requests are only counted that may be like one. */
const lostLike = ({ status }: FailedRequest, lost: NotKept): number => lost[status < 500 ? '4xx' : '5xx'];

interface GroupsProps {
  of: FailureGroupsAnswer;
  filter: FailureFilter;
  /** True on the page of a key, where each row is about that key. */
  isOfKey?: boolean;
}

function Groups({ of: { data, not_kept, grouped_since }, filter, isOfKey = false }: GroupsProps) {
  return (
    <>
      <Lost count={sumOf(not_kept)} so={texts.notKeptOfGroups} of={filter} />
      {grouped_since !== null && (
        <Notice tone="info">
          <p>{texts.groupedSince(atMinute(grouped_since))}</p>
        </Notice>
      )}
      {data.length > 0 ? (
        <GroupTable
          groups={data}
          isOfKey={isOfKey}
          isExact={({ latest }) => grouped_since === null && lostLike(latest, not_kept) === 0}
          hrefOf={({ id }) => hrefOf('failed-requests', undefined, { ...filter, group: id })}
        />
      ) : (
        <Nothing filter={filter} />
      )}
    </>
  );
}

interface RequestsProps {
  of: Failures;
  older: () => Promise<void>;
  filter: FailureFilter;
}

function Requests({ of, older, filter }: RequestsProps) {
  const { data, next, not_kept } = of;
  const ofGroup = !filter.request && filter.group ? data[0] : undefined;
  return (
    <>
      {ofGroup && (
        <GroupHeading
          of={ofGroup}
          keyId={data.every(({ key_id }) => key_id === ofGroup.key_id) ? ofGroup.key_id : undefined}
        />
      )}
      <Lost
        count={ofGroup ? lostLike(ofGroup, not_kept) : sumOf(not_kept)}
        so={ofGroup ? texts.notKeptOfGroup : ''}
        of={filter}
      />
      {data.length > 0 &&
        (ofGroup ? (
          <RequestsOfGroup shown={data} />
        ) : (
          <>
            <Elsewhere
              listed={data.map((one) => one.request_id)}
              what={texts.readingOne}
              read={(request) => readFailures({ ...anyFailure, request })}
            >
              {(found) => found.data.length > 0 && <FailureTable shown={found.data} />}
            </Elsewhere>
            <FailureTable shown={data} />
          </>
        ))}
      {data.length === 0 && next === undefined && <Nothing filter={filter} />}
      {next !== undefined && <OlderButton read={older} />}
    </>
  );
}

/** What the requests of a group have in common, why they failed, and what to do. */
const GroupHeading = ({ of, keyId }: { of: FailedRequest; keyId: string | undefined }) => (
  <>
    <h2>
      <code>
        {of.method} {of.path}
      </code>{' '}
      <Status of={of} />
    </h2>
    <Notice tone="info">
      <div>
        <Why of={of} />
      </div>
      <p>
        <Advice of={of} keyId={keyId} />
      </p>
    </Notice>
  </>
);

function Nothing({ filter }: { filter: FailureFilter }) {
  if (JSON.stringify({ ...filter, view: '' }) === JSON.stringify(anyFailure))
    return <Empty about={texts.noneAll} guide={['errors.html', texts.guide]} />;
  return (
    <Empty
      about={filter.request ? texts.noneId(filter.request) : texts.noneFiltered}
      all={hrefOf('failed-requests')}
    />
  );
}

/** The failed requests of one key, on its page. */
export function FailuresOfKey({ id }: { id: string }) {
  const filter = { ...anyFailure, key: id };
  const loading = useLoading(() => readGroups(filter), `of key ${nameOf(filter)}`);
  return (
    <>
      <h2>{texts.ofKey}</h2>
      <Loaded loading={loading} what={texts.reading}>
        {(groups) =>
          groups.data.length === 0 && sumOf(groups.not_kept) === 0 ? (
            <p class="quiet">{texts.noneKey}</p>
          ) : (
            <Groups of={groups} filter={filter} isOfKey />
          )
        }
      </Loaded>
    </>
  );
}
