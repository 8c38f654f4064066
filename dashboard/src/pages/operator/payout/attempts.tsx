// Every attempt at a payout: on which rail, under which reference, and what the bank said.
import type { PayoutAttempt } from '../../../api/console-types.ts';
import { counted, words } from '../../../components/format.ts';
import { Empty, Facts, Section } from '../../../components/page.tsx';
import { Id, State, Time } from '../../../components/values.tsx';
import styles from '../operator.module.css';
import { standingOf } from '../payouts/data.ts';

const LABELS: Readonly<Partial<Record<PayoutAttempt['state'], string>>> = {
  accepted: 'With the bank',
  landed: 'Paid',
  failed: 'Refused',
  rejected: 'Refused',
  dead: 'Not sent',
};

const MEANS: Readonly<Record<PayoutAttempt['state'], string>> = {
  prepared: 'It may have been given to the bank: it is asked about before anything else.',
  accepted: 'The bank has it.',
  unknown: 'The bank gives no certain answer.',
  landed: 'The bank has paid it.',
  failed: 'The bank refused it for good.',
  rejected: 'The bank refused it for good.',
  dead: 'It never reached the bank.',
};

export function Attempts({ attempts }: { readonly attempts: readonly PayoutAttempt[] }) {
  if (attempts.length === 0)
    return (
      <Section title="Attempts">
        <Empty icon="swap" title="No attempt yet">
          The first one is made when a rail fits: it is not paused, has the naira and reaches the bank.
        </Empty>
      </Section>
    );
  return (
    <Section
      title="Attempts"
      lead="The last one counts. One is made on another rail only when the one before was provably not paid."
    >
      <ol className="lines" data-gap="large">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.no} className={styles.attempt}>
            <div className="row" data-gap="small">
              <strong>
                {attempt.no}. {attempt.rail ?? 'No rail'}
              </strong>
              <State
                state={attempt.state}
                label={LABELS[attempt.state] ?? words(attempt.state)}
                {...waitsOf(attempt)?.shown}
              />
            </div>
            <Facts facts={factsOf(attempt)} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** What the service remembers of the answers of the bank (domain/movements/outcome-memory.ts). */
interface Remembered {
  readonly refused?: {
    readonly fault: string;
    readonly confirmed_ms: number | null;
  };
  readonly sure_ms?: number;
  readonly needs_people?: boolean;
  readonly not_found?: number;
  readonly ordered_ms?: number;
  readonly fault?: string;
}

/** Shown elsewhere, in words, or of no use to a person. */
const LEFT_OUT = [
  ...['reason', 'bank_says', 'tried', 'fault'],
  ...['refused', 'sure_ms', 'needs_people', 'not_found', 'ordered_ms'],
];

const FAULTS: Readonly<Record<string, string>> = {
  rail: 'The rail’s: another rail may pay it',
  payout: 'That of the account or the order: no other rail is tried',
};

const timeOf = (ms: number) => <Time at={new Date(ms).toISOString()} />;

/** Undefined: its state says it all. */
function waitsOf({ state, evidence }: PayoutAttempt) {
  if (state !== 'unknown' && state !== 'accepted') return undefined;
  const { refused, sure_ms: sureMs, needs_people: needsPeople = false }: Remembered = evidence ?? {};
  const sureAt = refused === undefined || sureMs === undefined ? null : new Date(sureMs).toISOString();
  return standingOf({ state, sure_at: sureAt, needs_people: needsPeople });
}

function factsOf(attempt: PayoutAttempt) {
  const { state, said, reference, evidence, at, updated_at: updated } = attempt;
  const {
    refused,
    fault = refused?.fault,
    not_found: notFound,
    ordered_ms: ordered,
  }: Remembered = evidence ?? {};
  const rest = Object.entries(evidence ?? {}).filter(([name]) => !LEFT_OUT.includes(name));
  const waits = waitsOf(attempt);
  return [
    { label: 'Means', value: waits?.shown === undefined ? MEANS[state] : waits.means },
    said !== null && { label: 'The bank said', value: said },
    fault !== undefined && { label: 'Whose fault', value: FAULTS[fault] ?? words(fault) },
    typeof refused?.confirmed_ms === 'number' && {
      label: 'Asked, and still refused',
      value: timeOf(refused.confirmed_ms),
    },
    notFound !== undefined && { label: 'Not found', value: `${counted(notFound, 'answer')} in a row` },
    ordered !== undefined && { label: 'Ordered again', value: timeOf(ordered) },
    { label: 'Reference', value: <Id value={reference} label="reference" keep={10} /> },
    ...rest.map(([name, value]) => ({
      label: words(name),
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    { label: 'Made', value: <Time at={at} /> },
    { label: 'Last answer', value: <Time at={updated} /> },
  ];
}
