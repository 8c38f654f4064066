// All attempts of a payout, with the rail, the reference and the response of the bank.
import type { PayoutAttempt } from '../../../api/console-types.ts';
import { counted, words } from '../../../components/format.ts';
import { Empty, Facts, Section } from '../../../components/page.tsx';
import { Id, State, Time } from '../../../components/values.tsx';
import styles from '../operator.module.css';
import { payoutStatus } from '../payouts/data.ts';

const LABELS: Readonly<Partial<Record<PayoutAttempt['state'], string>>> = {
  accepted: 'Accepted by the bank',
  landed: 'Paid',
  failed: 'Refused',
  rejected: 'Refused',
  dead: 'Not sent',
};

const MEANS: Readonly<Record<PayoutAttempt['state'], string>> = {
  prepared: 'The order may have reached the bank. Its outcome is checked before anything else.',
  accepted: 'The bank has accepted the order.',
  unknown: 'The bank has not confirmed the outcome.',
  landed: 'The bank has paid.',
  failed: 'The bank refused it permanently.',
  rejected: 'The bank refused it permanently.',
  dead: 'It never reached the bank.',
};

export function Attempts({ attempts }: { readonly attempts: readonly PayoutAttempt[] }) {
  if (attempts.length === 0)
    return (
      <Section title="Attempts">
        <Empty icon="swap" title="No attempts yet">
          The first attempt starts when a rail is available: not paused, funded, and able to reach the bank.
        </Empty>
      </Section>
    );
  return (
    <Section
      title="Attempts"
      lead="The last attempt counts. Another rail is tried only when the previous attempt is proven unpaid."
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
                {...openAttemptStatus(attempt)?.shown}
              />
            </div>
            <Facts facts={factsOf(attempt)} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The part of the bank's responses that the service stores (domain/movements/outcome-memory.ts). */
interface AttemptMemory {
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

const HIDDEN_FIELDS = [
  ...['reason', 'bank_says', 'tried', 'fault'],
  ...['refused', 'sure_ms', 'needs_people', 'not_found', 'ordered_ms'],
];

const FAULTS: Readonly<Record<string, string>> = {
  rail: 'Rail: another rail may pay it',
  payout: 'Account or order: no other rail is tried',
};

const timeOf = (ms: number) => <Time at={new Date(ms).toISOString()} />;

/** Undefined means that the state needs no explanation. */
function openAttemptStatus({ state, evidence }: PayoutAttempt) {
  if (state !== 'unknown' && state !== 'accepted') return undefined;
  const { refused, sure_ms: sureMs, needs_people: needsPeople = false }: AttemptMemory = evidence ?? {};
  const sureAt = refused === undefined || sureMs === undefined ? null : new Date(sureMs).toISOString();
  return payoutStatus({ state, sure_at: sureAt, needs_people: needsPeople });
}

function factsOf(attempt: PayoutAttempt) {
  const { state, said, reference, evidence, at, updated_at: updated } = attempt;
  const {
    refused,
    fault = refused?.fault,
    not_found: notFound,
    ordered_ms: ordered,
  }: AttemptMemory = evidence ?? {};
  const rest = Object.entries(evidence ?? {}).filter(([name]) => !HIDDEN_FIELDS.includes(name));
  const waits = openAttemptStatus(attempt);
  return [
    { label: 'Meaning', value: waits?.shown === undefined ? MEANS[state] : waits.means },
    said !== null && { label: 'Bank response', value: said },
    fault !== undefined && { label: 'Cause', value: FAULTS[fault] ?? words(fault) },
    typeof refused?.confirmed_ms === 'number' && {
      label: 'Refusal confirmed',
      value: timeOf(refused.confirmed_ms),
    },
    notFound !== undefined && { label: 'Not found', value: `${counted(notFound, 'response')} in a row` },
    ordered !== undefined && { label: 'Order repeated', value: timeOf(ordered) },
    { label: 'Reference', value: <Id value={reference} label="reference" keep={10} /> },
    ...rest.map(([name, value]) => ({
      label: words(name),
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    { label: 'Created', value: <Time at={at} /> },
    { label: 'Last response', value: <Time at={updated} /> },
  ];
}
