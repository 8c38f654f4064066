// One rail: whether it gets payouts, their outcomes in the last 15 minutes, its balance in the ledger and at the bank, and its
// cap.
import { Button } from '@mantine/core';
import type { ListRailsAnswer, Rail, RailPause, RailProposal } from '../../../api/console-types.ts';
import { capitalised, digits, type Tone } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Facts, Notice } from '../../../components/page.tsx';
import { Ago, Money, State, Time } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { useMay } from '../rules.tsx';
import type { RailAction } from './dialogs.tsx';
import styles from './rails.module.css';

const STATES: Readonly<Record<Rail['state'], { readonly tone: Tone; readonly label: string }>> = {
  in_use: { tone: 'completed', label: 'Working' },
  paused_by_people: { tone: 'failed', label: 'Paused' },
  paused_by_guard: { tone: 'failed', label: 'Stopped' },
  paused_by_health: { tone: 'failed', label: 'Unhealthy' },
  without_route: { tone: 'person', label: 'No route' },
  not_running: { tone: 'person', label: 'Not running' },
};

interface CardProps {
  readonly rail: Rail;
  readonly data: ListRailsAnswer;
  readonly onAsk: (asked: RailAction) => void;
}

function findTrustProposal({ proposals }: ListRailsAnswer, { rail }: Rail): RailProposal | undefined {
  return proposals.find((each) => each.setting === 'rail_trusted' && each.rail === rail);
}

export function RailCard({ rail, data, onAsk }: CardProps) {
  const { base } = useOperatorLocation();
  const { tone, label } = STATES[rail.state];
  return (
    <article className="card column" aria-label={`Rail ${rail.rail}`}>
      <div className="row" data-gap="large">
        <h2 className={styles.name}>{rail.rail}</h2>
        <State state={rail.state} tone={tone} label={label} />
        <span className={styles.link}>
          <TextLink to={`${base}/payouts?rail=${encodeURIComponent(rail.rail)}`}>View payouts</TextLink>
        </span>
      </div>
      <Warnings rail={rail} data={data} />
      <Health rail={rail} />
      <Facts
        facts={[
          {
            label: 'Pays from',
            value: rail.account === null ? 'Simulated bank' : `${rail.account.bank} ${rail.account.number}`,
          },
          {
            label: 'Balance (books)',
            value: (
              <>
                <Money amount={rail.books.balance} />{' '}
                <span className="quiet">
                  of which <Money amount={rail.books.reserved} /> reserved
                </span>
              </>
            ),
          },
          {
            label: 'Balance (rail)',
            value:
              rail.said === null ? (
                'Not reported yet'
              ) : (
                <>
                  <Money amount={rail.said.balance} />{' '}
                  <span className="quiet">
                    <Ago at={rail.said.at} />
                  </span>
                </>
              ),
          },
          {
            label: 'Last health check',
            value: (
              <>
                <Ago at={rail.probed_at} />
                {rail.probe_failure !== null && <>: {rail.probe_failure}</>}
              </>
            ),
          },
        ]}
      />
      <CapBar rail={rail} />
      <CardActions rail={rail} data={data} onAsk={onAsk} />
    </article>
  );
}

function Warnings({ rail, data }: Omit<CardProps, 'onAsk'>) {
  return (
    <>
      {rail.pauses.map((pause) => (
        <PauseNotice key={String(pause.by_health)} pause={pause} rail={rail} />
      ))}
      {rail.doubt !== null && <DoubtNotice payoutId={rail.doubt.payout_id} rail={rail} data={data} />}
      {rail.guard?.unexplained.map(({ payment, what }) => (
        <Notice key={payment} tone="failed">
          {what}.
        </Notice>
      ))}
      {(rail.state === 'without_route' || rail.state === 'not_running') && (
        <Notice tone="person">{capitalised(rail.what)}.</Notice>
      )}
    </>
  );
}

function PauseNotice({ pause, rail }: { readonly pause: RailPause; readonly rail: Rail }) {
  if (pause.by_health)
    return (
      <Notice tone="failed">
        Paused by the health check: {pause.reason}. <Time at={pause.since} />
        {rail.resumes_not_before !== null && (
          <>
            {' '}
            It resumes after three successful checks in a row, but not before{' '}
            <Time at={rail.resumes_not_before} />.
          </>
        )}
      </Notice>
    );
  return (
    <Notice tone="failed">
      Paused by {pause.name ?? pause.actor}: {pause.reason}. <Time at={pause.since} />
    </Notice>
  );
}

function Health({
  rail: { attempts, success_percent: share, latency_ms: latency },
}: {
  readonly rail: Rail;
}) {
  const figures = [
    { label: 'Success rate', value: share === null ? '—' : `${share} %`, bad: share !== null && share < 90 },
    { label: 'Paid', value: attempts.landed, bad: false },
    { label: 'Refused', value: attempts.refused, bad: false },
    { label: 'Failed', value: attempts.failed, bad: attempts.failed > 0 },
    { label: 'Unknown', value: attempts.unknown, bad: attempts.unknown > 0 },
    { label: 'In progress', value: attempts.under_way, bad: false },
    { label: 'Median time', value: seconds(latency.p50), bad: false },
    { label: '95th percentile', value: seconds(latency.p95), bad: false },
  ];
  return (
    <section aria-label="Last 15 minutes">
      <p className={styles.caption}>Last 15 minutes</p>
      <dl className={styles.figures}>
        {figures.map(({ label, value, bad }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd data-bad={bad || undefined}>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function seconds(ms: number | null): string {
  if (ms === null) return '—';
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}

function CardActions({ rail, data, onAsk }: CardProps) {
  const mayStop = useMay('stop');
  const mayPropose = useMay('propose');
  const byPeople = rail.pauses.some((pause) => !pause.by_health);
  return (
    <div className={styles.actions}>
      {mayPropose && (
        <Button size="xs" variant="default" onClick={() => onAsk({ what: 'cap', rail })}>
          Set cap<span className="only-screen-reader"> of {rail.rail}</span>
        </Button>
      )}
      {mayPropose && rail.pauses.length > 0 && (
        <Button size="xs" variant="default" onClick={() => onAsk({ what: 'resume', rail })}>
          Resume rail<span className="only-screen-reader"> {rail.rail}</span>
        </Button>
      )}
      {mayPropose && rail.doubt !== null && findTrustProposal(data, rail) === undefined && (
        <Button size="xs" variant="default" onClick={() => onAsk({ what: 'trust', rail })}>
          Trust rail<span className="only-screen-reader"> {rail.rail}</span>
        </Button>
      )}
      {mayStop && !byPeople && (
        <Button size="xs" variant="default" onClick={() => onAsk({ what: 'pause', rail })}>
          Pause rail<span className="only-screen-reader"> {rail.rail}</span>
        </Button>
      )}
    </div>
  );
}

interface DoubtProps extends Omit<CardProps, 'onAsk'> {
  readonly payoutId: string;
}

/** The service does not trust refusals of this rail until people trust the rail again. */
function DoubtNotice({ payoutId, rail, data }: DoubtProps) {
  const { base } = useOperatorLocation();
  const proposed = findTrustProposal(data, rail);
  return (
    <Notice tone="person">
      It paid <TextLink to={`${base}/payouts/${payoutId}`}>a payout</TextLink> after refusing it. Its refusals
      need review until {data.needs_two ? 'two people trust' : 'a person trusts'} it again.
      {proposed !== undefined && (
        <>
          {' '}
          {proposed.proposed_by_name} has{' '}
          <TextLink to={`${base}/proposals/${proposed.proposal_id}`}>proposed it</TextLink>; another person
          must decide.
        </>
      )}
    </Notice>
  );
}

function CapBar({ rail: { rail, cap, used_today: used } }: { readonly rail: Rail }) {
  if (cap === null)
    return (
      <p className={styles.cap}>
        <Money amount={used} /> <span className="quiet">used today, no cap</span>
      </p>
    );
  const percent = Math.min(100, (Number(used) / Number(cap)) * 100);
  return (
    <div>
      <div
        className={styles.bar}
        role="img"
        aria-label={`${rail}: ${digits(used)} of ${digits(cap)} naira used today`}
      >
        <span
          className={styles.used}
          data-full={percent >= 90 || undefined}
          style={{ width: `${percent}%` }}
        />
      </div>
      <p className={styles.cap}>
        <Money amount={used} />{' '}
        <span className="quiet">
          of <Money amount={cap} /> used today
        </span>
      </p>
    </div>
  );
}
