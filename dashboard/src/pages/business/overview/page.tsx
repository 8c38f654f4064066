// The overview of a business: today in one sentence, three plots that each answer a question, what waits for the business, and the
// newest transactions. It follows what happens.
import { Button, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { pathTo } from '../../../api/calls.ts';
import type { GetBusinessOverviewAnswer, Waiting } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { type BusinessPlace, useBusinessPlace } from '../../../frame/place.ts';
import { Icon } from '../../../parts/icon.tsx';
import { AppLink, useGo } from '../../../parts/link.tsx';
import { Empty, Failure, Loading, Notice, Page, Section } from '../../../parts/page.tsx';
import { State } from '../../../parts/values.tsx';
import { listPath, useLiveTransactions, useTinted } from '../transactions/data.ts';
import { TransactionTable } from '../transactions/page.tsx';
import styles from './overview.module.css';
import { countText, needsOf, todayDetail, todaySentence } from './words.ts';

const Plots = lazy(() => import('./plots.tsx'));
const NEWEST = 5;

export default function OverviewPage() {
  const place = useBusinessPlace();
  const { data, error, refetch } = useOverview(place);
  const [tinted, tint] = useTinted();
  useLiveTransactions(place, [overviewPath(place), listPath(place)], tint);
  return (
    <Page title="Overview">
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <>
          <Today overview={data} />
          {data !== undefined && !hasAny(data) && <FirstSteps place={place} />}
          <Suspense fallback={<PlotsPlace />}>
            {data === undefined ? <PlotsPlace /> : <Plots overview={data} />}
          </Suspense>
          <Needs waiting={data?.waiting} base={place.base} />
          <Newest place={place} tinted={tinted} />
        </>
      )}
    </Page>
  );
}

function hasAny({ days }: GetBusinessOverviewAnswer): boolean {
  return days.some(({ buys, sells }) => buys + sells > 0);
}

function Today({ overview }: { readonly overview: GetBusinessOverviewAnswer | undefined }) {
  return (
    <div className={styles.head}>
      {overview === undefined ? (
        <>
          <Skeleton height={28} maw={520} mb={16} />
          <Skeleton height={16} maw={420} />
        </>
      ) : (
        <>
          <p className={styles.sentence}>{todaySentence(overview.today)}</p>
          <p className={styles.detail}>{todayDetail(overview.today, overview.today_median_seconds)}</p>
        </>
      )}
    </div>
  );
}

function PlotsPlace() {
  return (
    <div className={styles.place}>
      <Skeleton height={300} mb={24} />
      <Skeleton height={300} />
    </div>
  );
}

function FirstSteps({ place: { base, mode } }: { readonly place: BusinessPlace }) {
  if (mode === 'live') return null;
  return (
    <Notice tone="info">
      This business has made nothing in test mode yet.{' '}
      <AppLink className="text-link" to={`${base}/start`}>
        Make the first buy in five minutes
      </AppLink>
    </Notice>
  );
}

function Needs({ waiting, base }: { readonly waiting: Waiting | undefined; readonly base: string }) {
  const needs = waiting === undefined ? [] : needsOf(waiting);
  return (
    <Section title="What needs you">
      {waiting === undefined ? (
        <Loading lines={2} />
      ) : needs.length === 0 ? (
        <Empty icon="check" title="Nothing waits for you">
          Transactions on hold, missing wallets and webhooks that fail appear here.
        </Empty>
      ) : (
        <ul className={styles.needs}>
          {needs.map(({ count, label, what, path, state }) => (
            <li key={label}>
              <AppLink className={styles.need} to={base + path}>
                <span className={styles.count}>{countText(count)}</span>
                <span>
                  <State state={state} label={label} />
                </span>
                <span className={`quiet ${styles.what}`}>{what}</span>
                <span className={styles.go}>
                  <Icon name="chevron" size={16} />
                </span>
              </AppLink>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Newest({ place, tinted }: { readonly place: BusinessPlace; readonly tinted: ReadonlySet<string> }) {
  const go = useGo();
  const all = `${place.base}/transactions`;
  return (
    <Section
      title="Newest transactions"
      bare
      actions={
        <Button variant="default" size="xs" onClick={() => go(all)}>
          Show all transactions
        </Button>
      }
    >
      <TransactionTable place={place} query={{ limit: NEWEST }} tinted={tinted} oneOnly />
    </Section>
  );
}

const OVERVIEW = '/businesses/{business_id}/overview/{mode}';

const overviewPath = ({ params }: BusinessPlace): string => pathTo(OVERVIEW, { params });
const useOverview = ({ params }: BusinessPlace) => useRead(OVERVIEW, { params });
