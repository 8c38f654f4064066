// The overview of a business: one sentence about today, three plots, the required actions, and the newest transactions. The
// page updates live.
import { Button, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { pathTo } from '../../../api/calls.ts';
import type { GetBusinessOverviewAnswer, Waiting } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { Icon } from '../../../components/icon.tsx';
import { AppLink, useGo } from '../../../components/link.tsx';
import { Empty, Failure, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { State } from '../../../components/values.tsx';
import { type BusinessLocation, useBusinessLocation } from '../../../layout/location.ts';
import { listPath, useLiveTransactions, useTinted } from '../transactions/data.ts';
import { TransactionTable } from '../transactions/page.tsx';
import styles from './overview.module.css';
import { cappedCountText, requiredActions, todayDetail, todaySentence } from './words.ts';

const Plots = lazy(() => import('./plots.tsx'));
const NEWEST = 5;

export default function OverviewPage() {
  const location = useBusinessLocation();
  const { data, error, refetch } = useOverview(location);
  const [tinted, tint] = useTinted();
  useLiveTransactions(location, [overviewPath(location), listPath(location)], tint);
  return (
    <Page title="Overview">
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <>
          <Today overview={data} />
          {data !== undefined && !hasAny(data) && <FirstSteps location={location} />}
          <Suspense fallback={<PlotsSkeleton />}>
            {data === undefined ? <PlotsSkeleton /> : <Plots overview={data} />}
          </Suspense>
          <Needs waiting={data?.waiting} base={location.base} />
          <Newest location={location} tinted={tinted} />
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

function PlotsSkeleton() {
  return (
    <div className={styles.placeholder}>
      <Skeleton height={300} mb={24} />
      <Skeleton height={300} />
    </div>
  );
}

function FirstSteps({ location: { base, mode } }: { readonly location: BusinessLocation }) {
  if (mode === 'live') return null;
  return (
    <Notice tone="info">
      No test transactions yet.{' '}
      <AppLink className="text-link" to={`${base}/start`}>
        Create your first buy in five minutes
      </AppLink>
    </Notice>
  );
}

function Needs({ waiting, base }: { readonly waiting: Waiting | undefined; readonly base: string }) {
  const needs = waiting === undefined ? [] : requiredActions(waiting);
  return (
    <Section title="Action required">
      {waiting === undefined ? (
        <Loading lines={2} />
      ) : needs.length === 0 ? (
        <Empty icon="check" title="No action required">
          Transactions on hold, missing wallets and failing webhooks appear here.
        </Empty>
      ) : (
        <ul className={styles.needs}>
          {needs.map(({ count, label, what, path, state }) => (
            <li key={label}>
              <AppLink className={styles.need} to={base + path}>
                <span className={styles.count}>{cappedCountText(count)}</span>
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

function Newest({
  location,
  tinted,
}: {
  readonly location: BusinessLocation;
  readonly tinted: ReadonlySet<string>;
}) {
  const go = useGo();
  const all = `${location.base}/transactions`;
  return (
    <Section
      title="Latest transactions"
      bare
      actions={
        <Button variant="default" size="xs" onClick={() => go(all)}>
          View all transactions
        </Button>
      }
    >
      <TransactionTable location={location} query={{ limit: NEWEST }} tinted={tinted} oneOnly />
    </Section>
  );
}

const OVERVIEW = '/businesses/{business_id}/overview/{mode}';

const overviewPath = ({ params }: BusinessLocation): string => pathTo(OVERVIEW, { params });
const useOverview = ({ params }: BusinessLocation) => useRead(OVERVIEW, { params });
