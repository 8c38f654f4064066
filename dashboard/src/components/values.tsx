// Shows values in the same way on all pages: amounts, ids, states, times, and cells with two lines.
import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import { ago, digits, lagosTime, shortened, type Tone, timeLeft, words } from './format.ts';
import { Icon } from './icon.tsx';
import styles from './values.module.css';

/** The currency sign is lighter than the digits. The amount stays on one line. */
export function Money({
  amount,
  muted = false,
}: {
  readonly amount: string | number;
  readonly muted?: boolean;
}) {
  const text = digits(amount);
  const negative = text.startsWith('−');
  return (
    <span className={`${styles.amount} ${muted ? 'quiet' : ''}`}>
      {negative && '−'}
      <span className={styles.unit}>₦</span>
      {negative ? text.slice(1) : text}
    </span>
  );
}

/** `amount` is text in tokens (not in minor units), with the decimals of the asset. */
export function TokenAmount({ amount, asset }: { readonly amount: string; readonly asset: string }) {
  return (
    <span className={styles.amount}>
      {digits(amount)} <span className={styles.unit}>{asset}</span>
    </span>
  );
}

interface IdProps {
  readonly value: string;
  readonly label?: string;
  /** The number of characters that remain at each end. False means that all characters remain. */
  readonly keep?: number | false;
}

/**
 * An id, a hash or an address. The text is shortened in the middle, the full value appears on hover, and one click copies it.
 */
export function Id({ value, label = 'id', keep = 6 }: IdProps) {
  const shown = keep === false ? value : shortened(value, keep);
  return (
    <span className={styles.id}>
      <Tooltip label={value} disabled={shown === value} multiline maw={420}>
        <span className={`mono ${styles.idText}`}>{shown}</span>
      </Tooltip>
      <CopyButton value={value} timeout={1500}>
        {({ copied, copy }) => (
          <UnstyledButton
            className={styles.copy}
            aria-label={copied ? 'Copied' : `Copy ${label}`}
            onClick={(event) => {
              event.preventDefault();
              event.stopPropagation();
              copy();
            }}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </UnstyledButton>
        )}
      </CopyButton>
    </span>
  );
}

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
  reading: 'progress',
  sound: 'completed',
  unchecked: 'waiting',
  gap: 'failed',
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

/** Returns a hook that gives the current time. All times with the same interval share one clock. */
function makeClock(tickMs: number): () => number {
  let now = Date.now();
  const readers = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const subscribe = (read: () => void) => {
    readers.add(read);
    if (timer === undefined) {
      now = Date.now();
      timer = setInterval(() => {
        now = Date.now();
        for (const each of readers) each();
      }, tickMs);
    }
    return () => {
      readers.delete(read);
      if (readers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
  return () => useSyncExternalStore(subscribe, () => now);
}

export const useNow = makeClock(5_000);
/** For countdowns. */
export const useSeconds = makeClock(1_000);

export function Day({ day }: { readonly day: string }) {
  return (
    <time dateTime={day} className="tabular" style={{ whiteSpace: 'nowrap' }}>
      {day}
    </time>
  );
}

export function Time({ at }: { readonly at: string | null | undefined }) {
  const nowMs = useNow();
  if (!at) return <span className="quiet">—</span>;
  return (
    <time dateTime={at} className="tabular">
      {lagosTime(at)} <span className="quiet">({ago(at, nowMs)})</span>
    </time>
  );
}

/** Shows the relative time, for tables. The absolute time appears on hover, and screen readers read it. */
export function Ago({ at }: { readonly at: string | null | undefined }) {
  const nowMs = useNow();
  if (!at) return <span className="quiet">—</span>;
  return <Hinted at={at} text={ago(at, nowMs)} />;
}

interface CountdownProps {
  readonly to: string;
  readonly over?: string;
}

/** The remaining time, updated every second. The page that uses it explains what happens at the end. */
export function Countdown({ to, over = 'Expired' }: CountdownProps) {
  return <Hinted at={to} text={timeLeft(to, useSeconds()) ?? over} />;
}

function Hinted({ at, text }: { readonly at: string; readonly text: string }) {
  return (
    <Tooltip label={lagosTime(at)}>
      <time dateTime={at} className="tabular" title={lagosTime(at)}>
        {text}
      </time>
    </Tooltip>
  );
}

export function BankAccount({ account }: { readonly account: string }) {
  const at = account.indexOf(':') + 1;
  return (
    <span className={styles.account}>
      {account.slice(0, at)}
      <wbr />
      <span className={styles.whole}>{account.slice(at)}</span>
    </span>
  );
}

export function TwoLines({ main, below }: { readonly main: ReactNode; readonly below: ReactNode }) {
  return (
    <span className={styles.lines}>
      <span className={styles.main}>{main}</span>
      <span className="quiet">{below}</span>
    </span>
  );
}
