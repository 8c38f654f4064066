// Lists the actions that people may take on a waiting record, each with the reason if it is not possible now. The same plans
// check these actions as check a proposal and its approval.
import type { BankCredit } from '../../domain/records/credit.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { rejectBuy } from '../../domain/review/buys.ts';
import { returnedPayouts } from '../../domain/review/holds.ts';
import type { ReviewRefusal, ReviewRequest } from '../../domain/review/proposal.ts';
import { isQuestionCase } from '../../domain/review/question-cases.ts';
import type { Result } from '../../domain/values/result.ts';
import type { StoredCase } from '../../ports/review-store.ts';
import { planReview } from '../review/plan-review.ts';
import type { ReviewDeps } from '../review/review-deps.ts';

/** People propose these actions on other pages, because the actions belong to no waiting record. */
type ActionProposedElsewhere = 'withdraw' | 'fund' | 'unfund' | 'naira' | 'resume' | 'explained_all';

export interface PossibleAction {
  readonly action: Exclude<ReviewRequest['action'], ActionProposedElsewhere> | 'reject';
  /** The input that a person must give, or null if the action needs none. */
  readonly needs: 'transaction' | 'parts' | 'account' | 'address' | 'own_account' | null;
  /** The destination that a person may give, or null if the action has none. */
  readonly mayName: 'account' | null;
  readonly saysPublicly: boolean;
  readonly people: 1 | 2;
  /**
   * The amount that the plan of the action would post now. Null if the amount depends on the missing input, or if the action is
   * impossible.
   */
  readonly amountMinor: bigint | null;
  /** The obstacle, or null if the action is possible once a person gives the input. */
  readonly obstacle: string | null;
}

type ActionVerdict = Pick<PossibleAction, 'amountMinor' | 'obstacle'>;

const DEFAULT_ACTION = {
  needs: null,
  mayName: null,
  saysPublicly: false,
  people: 2,
  amountMinor: null,
} as const;

export async function listPossibleActions(
  deps: ReviewDeps,
  record: { readonly id: string },
  actor: string,
): Promise<readonly PossibleAction[]> {
  const { id: subjectId } = record;
  const judge = async (request: Pick<ReviewRequest, 'action' | 'detail'>): Promise<ActionVerdict> => {
    const asked = { ...request, subjectId } as ReviewRequest;
    const planned = await planReview(deps, asked, { actor, atMs: deps.clock.now() });
    return { amountMinor: planned.ok ? planned.value.amountMinor : null, obstacle: obstacleOf(planned) };
  };
  const plain: JudgePlainAction = async (action) => ({
    ...DEFAULT_ACTION,
    action,
    ...(await judge({ action, detail: {} })),
  });
  const refund = () => judge({ action: 'refund', detail: { target: null } });
  switch (subjectId.slice(0, 4)) {
    case 'crd_': {
      // If a credit cannot be written off, no other decision about it is possible either.
      const writeOff = await plain('write_off');
      const given = { ...DEFAULT_ACTION, amountMinor: writeOff.amountMinor, obstacle: writeOff.obstacle };
      return [
        { ...given, action: 'match', needs: 'transaction' },
        { ...given, action: 'split', needs: 'parts' },
        { ...DEFAULT_ACTION, action: 'refund', mayName: 'account', ...(await refund()) },
        writeOff,
      ];
    }
    case 'txn_':
      return listTransactionActions(deps, record as Transaction, [await plain('release')], await refund());
    case 'dep_': {
      const writeOff = await plain('write_off');
      const refunded = {
        ...DEFAULT_ACTION,
        action: 'refund',
        needs: 'address',
        obstacle: writeOff.obstacle,
      } as const;
      return [refunded, await plain('own_funds'), writeOff];
    }
    case 'mov_':
      if (isOpenBankPayment(record as RefundRecord)) return [await plain('paid'), await plain('unpaid')];
      return listRefundActions(record as RefundRecord);
    case 'ntc_':
      return [await plain('loss'), await plain('dismiss')];
    case 'cas_':
      return listCaseActions(record as StoredCase, plain, refund);
    default:
      return [];
  }
}

async function listTransactionActions(
  { store, reviewDesk, clock }: ReviewDeps,
  transaction: Transaction,
  others: readonly PossibleAction[],
  refundable: ActionVerdict,
): Promise<readonly PossibleAction[]> {
  const isBuy = transaction.type === 'buy';
  const refund: PossibleAction = {
    ...{ ...DEFAULT_ACTION, action: 'refund', saysPublicly: true, ...refundable },
    mayName: isBuy ? 'account' : null,
  };
  if (!isBuy) {
    const returned = returnedPayouts(await store.movementsOf([transaction.id])).length > 0;
    const waits = transaction.state === 'on_hold' && refundable.obstacle === null;
    const obstacle = waits ? null : (refundable.obstacle ?? `${transaction.id} is ${transaction.state}.`);
    const again: PossibleAction = { ...DEFAULT_ACTION, action: 'pay_again', needs: 'account', obstacle };
    return [...others, refund, ...(returned ? [again] : [])];
  }
  const meant: readonly BankCredit[] = await reviewDesk.creditsMeaning(transaction);
  const by = { actor: '', atMs: clock.now(), publicReason: 'declined', note: '' } as const;
  const rejected = obstacleOf(rejectBuy(transaction, meant, by));
  const reject: PossibleAction = {
    ...{ ...DEFAULT_ACTION, action: 'reject', people: 1, saysPublicly: true, obstacle: rejected },
  };
  return [...others, refund, reject];
}

type JudgePlainAction = (
  action:
    | 'write_off'
    | 'own_funds'
    | 'release'
    | 'loss'
    | 'dismiss'
    | 'paid'
    | 'unpaid'
    | 'accepted'
    | 'counted'
    | 'explained',
) => Promise<PossibleAction>;

/** Returned money can be paid again or sent back. Lost money can be recovered, accepted or, if it was paid twice, counted. */
async function listCaseActions(
  found: StoredCase,
  plain: JudgePlainAction,
  refund: () => Promise<ActionVerdict>,
): Promise<readonly PossibleAction[]> {
  const { id, kind, outcome, closedAtMs } = found;
  const closed = closedAtMs === null ? null : `${id} is closed (${outcome ?? 'by hand'}).`;
  if (kind === 'payout_returned') {
    return [
      { ...DEFAULT_ACTION, action: 'pay_again', needs: 'account', obstacle: closed },
      { ...DEFAULT_ACTION, action: 'refund', saysPublicly: true, ...(await refund()) },
      await plain('write_off'),
    ];
  }
  if (isQuestionCase(found)) {
    const explained = await plain('explained');
    const mayCount = kind === 'report_left_over' || kind === 'credit_not_found';
    return mayCount ? [await plain('counted'), explained] : [explained];
  }
  const accepted = await plain('accepted');
  const recovered = {
    ...DEFAULT_ACTION,
    action: 'recovered',
    needs: 'own_account',
    obstacle: closed,
  } as const;
  return [recovered, accepted, ...(kind === 'payout_paid_late' ? [await plain('counted')] : [])];
}

interface RefundRecord {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly network: string | null;
  readonly destination: unknown;
}

function isOpenBankPayment({ network, state }: RefundRecord): boolean {
  return network === null && (state === 'sending' || state === 'unknown');
}

/**
 * Lists the actions for a refund whose destination is unknown or could not be paid. The plan with a new destination decides
 * whether the refund can be paid.
 */
function listRefundActions({
  id,
  kind,
  state,
  network,
  destination,
}: RefundRecord): readonly PossibleAction[] {
  if (kind !== 'refund') return [];
  const waits = state === 'failed' || (state === 'pending' && destination === null);
  const needs = network === null ? 'account' : 'address';
  const obstacle = waits ? null : `${id} is ${state} and has a destination: there is nothing to decide.`;
  return [{ ...DEFAULT_ACTION, action: 'refund', needs, obstacle }];
}

function obstacleOf(planned: Result<unknown, ReviewRefusal>): string | null {
  return planned.ok ? null : planned.error.message;
}
