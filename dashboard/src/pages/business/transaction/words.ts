// The texts about one transaction: who acted, how long after the previous step, and which test steps are possible next.
import type { Transaction } from '../../../api/console-types.ts';
import { duration, naira, type Tone } from '../../../components/format.ts';

/** Returns text such as "12 s later". Null means that this is the first step. */
export function elapsedText(beforeIso: string | undefined, iso: string): string | null {
  if (beforeIso === undefined) return null;
  const seconds = (Date.parse(iso) - Date.parse(beforeIso)) / 1_000;
  return seconds < 1 ? 'immediately' : `${duration(seconds)} later`;
}

export function actorWords(actor: string): string {
  if (actor === 'you') return 'by your team';
  if (actor === 'operator') return 'by the operator';
  if (actor.startsWith('key_')) return 'by one of your keys';
  if (actor === 'bank' || actor === 'network') return `by the ${actor}`;
  return 'by the service';
}

export function withoutPath(sentence: string): string {
  return sentence.replace(/:\s*(GET|PUT|POST) \/\S+$/, '.');
}

export interface Step {
  /** The part of the URL after the URL of the transaction. */
  readonly action: 'pay' | 'deposit' | 'reverse';
  readonly label: string;
  /** Null means the full amount of the transaction. */
  readonly amount: string | null;
  readonly main: boolean;
}

const DIFFERENCE = 100;

/** The amounts of test mode have two decimals, and the numbers of the API represent them exactly. */
function amountText(amount: number): string {
  return amount.toFixed(2);
}

export function stepsOf(transaction: Transaction): readonly Step[] {
  const { type, state, amount, missing_amount: missing, exception } = transaction;
  if (type === 'Buy' && state === 'completed' && exception !== 'credit_reversed')
    return [{ action: 'reverse', label: 'Reverse the payment', amount: null, main: false }];
  if (missing <= 0) return [];
  const action = type === 'Buy' ? 'pay' : 'deposit';
  const verb = type === 'Buy' ? 'Pay' : 'Send';
  const unit = type === 'Buy' ? '' : ' in tokens';
  if (missing < amount) {
    const rest = amountText(missing);
    return [{ action, label: `${verb} the missing ${naira(rest)}${unit}`, amount: rest, main: true }];
  }
  const [short, over] = [amountText(amount - DIFFERENCE), amountText(amount + DIFFERENCE)];
  return [
    { action, label: `${verb} ${naira(amount)}${unit}`, amount: null, main: true },
    ...(amount > DIFFERENCE
      ? [{ action, label: `${verb} too little: ${naira(short)}`, amount: short, main: false } as const]
      : []),
    { action, label: `${verb} too much: ${naira(over)}`, amount: over, main: false },
  ];
}

/** The same click in the same state always sends the same idempotency key, so a repeated click has no further effect. */
export function stepKey(
  { action, amount }: Step,
  { transaction_id: id, updated_at: at }: Transaction,
): string {
  return `play-${action}-${amount ?? 'all'}-${id}-${at}`;
}

const OVER = ['completed', 'expired', 'cancelled', 'rejected', 'refunded', 'payout_failed'];

export function isFinished({ state }: Transaction): boolean {
  return OVER.includes(state);
}

export function noStepText(transaction: Transaction): string {
  if (isFinished(transaction)) return 'Finished: no steps left.';
  if (transaction.state === 'on_hold') return 'Under review by the operator: no step to play.';
  return 'In progress: no step to play.';
}

export function netLabel({ type, state }: Pick<Transaction, 'type' | 'state'>): string {
  const isBuy = type === 'Buy';
  if (state === 'completed') return isBuy ? 'Tokens sent' : 'Paid out';
  if (OVER.includes(state)) return 'Net amount';
  return isBuy ? 'Tokens to send' : 'Amount to pay out';
}

/**
 * A payout that the bank refused keeps the state `unknown` until the refusal is certain. That state alone would alarm the
 * reader, so this text replaces it.
 */
export function payoutDisplay({
  payout,
  state_reason: reason,
}: Pick<Transaction, 'payout' | 'state_reason'>): {
  readonly tone?: Tone;
  readonly label?: string;
} {
  const isAsked = payout?.state === 'unknown' && reason === 'payout_refused';
  return isAsked ? { tone: 'progress', label: 'Confirming with the bank' } : {};
}

export function takesWallet({
  type,
  state,
  wallet_address: wallet,
  next_action: next,
}: Transaction): boolean {
  if (wallet !== null) return false;
  return type === 'Buy'
    ? state === 'awaiting_wallet' || state === 'on_hold'
    : (next ?? '').includes('wallet');
}

export function canCancel({ state, received_amount: received }: Transaction): boolean {
  return ['awaiting_wallet', 'awaiting_payment', 'awaiting_deposit'].includes(state) && received === 0;
}

const EVIDENCE: Readonly<Record<string, string>> = {
  bank_credit: 'Bank credit',
  deposit: 'Deposit',
  network: 'Network',
  tx_hash: 'Hash',
  movement: 'Movement',
  reference: 'Reference',
  attempt: 'Attempt',
  case: 'Case',
};

export function evidenceOf(evidence: Readonly<Record<string, unknown>> | null): readonly [string, string][] {
  return Object.entries(evidence ?? {}).map(([name, value]) => [
    EVIDENCE[name] ?? name,
    typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value),
  ]);
}
