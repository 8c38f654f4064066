// A state: a dot in the colour of its meaning, and the word. Grey waits, blue is under way, green is done, amber needs a person,
// red failed or stands still.
import { words } from './format.ts';
import styles from './state.module.css';
import type { Tone } from './tone.ts';

const TONES: Readonly<Record<string, Tone>> = {
  // Transactions.
  awaiting_wallet: 'person',
  awaiting_payment: 'waiting',
  awaiting_deposit: 'waiting',
  awaiting_trustline: 'waiting',
  paid: 'progress',
  deposited: 'progress',
  sending: 'progress',
  confirming: 'progress',
  paying_out: 'progress',
  on_hold: 'person',
  completed: 'completed',
  refunded: 'waiting',
  expired: 'waiting',
  cancelled: 'waiting',
  rejected: 'failed',
  payout_failed: 'failed',
  // Movements, deliveries, proposals and switches.
  pending: 'waiting',
  unknown: 'person',
  done: 'completed',
  failed: 'failed',
  returned: 'person',
  closed: 'completed',
  delivered: 'completed',
  waiting: 'waiting',
  open: 'person',
  approved: 'completed',
  declined: 'failed',
  withdrawn: 'waiting',
  active: 'completed',
  enabled: 'completed',
  disabled: 'waiting',
  revoked: 'waiting',
  frozen: 'failed',
  halted: 'failed',
  paused: 'failed',
  review: 'person',
  // Statement files and their days.
  reading: 'progress',
  sound: 'completed',
  unchecked: 'waiting',
  gap: 'failed',
  // Attempts at a bank.
  prepared: 'waiting',
  accepted: 'progress',
  landed: 'completed',
  dead: 'waiting',
};

export function toneOf(state: string): Tone {
  return TONES[state] ?? 'waiting';
}

interface StateProps {
  readonly state: string;
  /** Instead of the state's own. */
  readonly tone?: Tone;
  readonly label?: string;
}

export function State({ state, tone = toneOf(state), label = words(state) }: StateProps) {
  return (
    <span className={styles.state} data-tone={tone}>
      <span className={styles.dot} aria-hidden />
      {label}
    </span>
  );
}
