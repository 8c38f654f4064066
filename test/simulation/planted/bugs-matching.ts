// Mistakes about buys on their way in: requests, matching, expiry, and limits.
import type { Bug } from './plant.ts';

const BUY = 'src/domain/buy.ts';
const MATCH = 'src/app/match-credits.ts';
const MATCHING = 'src/domain/matching.ts';
const TRANSACTION = 'src/domain/transaction.ts';
const HOLDS = 'src/app/hold-checks.ts';
const EXPIRE = 'src/app/expire-transactions.ts';

export const MATCHING_BUGS: readonly Bug[] = [
  {
    name: 'acceptance_not_waited_for',
    what: 'A request is answered as accepted although the store did not answer.',
    patches: [
      {
        file: 'src/app/accept-transaction.ts',
        find: '    scenario,\n  });',
        replace: "    scenario,\n  }).catch(() => ({ kind: 'created' }) as const);",
      },
    ],
  },
  {
    name: 'matched_credit_stays_open',
    what: 'A credit that paid a buy stays open, and can pay another.',
    patches: [
      {
        file: BUY,
        find: "moveOf(credit, { state: 'matched', exception: null, transactionId, dueAtMs: null })",
        replace: 'moveOf(credit, { exception: null, transactionId: null })',
      },
    ],
  },
  {
    name: 'refunded_credit_stays_open',
    what: 'A credit that goes back stays open, and goes back again at the next look.',
    patches: [
      {
        file: BUY,
        find: "    credits: [moveOf(credit, { state: 'refunded', exception: reason, transactionId, dueAtMs: null })],\n",
        replace: '    credits: [moveOf(credit, {})],\n',
      },
    ],
  },
  {
    name: 'excess_refund_is_whole_credit',
    what: 'When too much was paid, the whole payment goes back and the tokens are sent as well.',
    patches: [
      {
        file: BUY,
        find: '            amountMinor: excessMinor,',
        replace: '            amountMinor: credit.amountMinor,',
      },
    ],
  },
  {
    name: 'part_paid_is_paid',
    what: 'A payment of a part takes a buy to paid.',
    patches: [
      {
        file: BUY,
        find: 'const paid = receivedMinor >= transaction.amountMinor;',
        replace: 'const paid = receivedMinor > 0n;',
      },
    ],
  },
  {
    name: 'paid_buy_only_handed_over',
    what: 'A buy that is paid is handed to the send stage in memory only.',
    patches: [
      {
        file: MATCH,
        find: 'nextDueMs: atMs + deps.leaseMs }',
        replace: 'nextDueMs: null! }',
      },
    ],
  },
  {
    name: 'claim_unnoticed_by_earlier_credit',
    what: 'A credit nobody had claimed is never looked at again by itself.',
    patches: [
      {
        file: MATCH,
        find: 'const lookAgainMs = nextLookMs(credit, policy, atMs);',
        replace: 'const lookAgainMs = null;',
      },
    ],
  },
  {
    name: 'late_payment_always_completes',
    what: 'A late payment completes the buy although the policy says that it goes back.',
    patches: [
      {
        file: MATCH,
        find: "verdict.exception === 'paid_late' && policy.lateCredit === 'refund' ? 'paid_late' : null",
        replace: "verdict.exception === 'paid_late' && policy.lateDeposit === 'refund' ? 'paid_late' : null",
      },
    ],
  },
  {
    name: 'expired_claims_not_looked_at',
    what: 'Matching no longer looks at expired buys, so a late payment finds nobody.',
    patches: [
      {
        file: 'src/domain/matching-evidence.ts',
        find: "'awaiting_wallet', 'awaiting_payment', 'expired'",
        replace: "'awaiting_wallet', 'awaiting_payment'",
      },
    ],
  },
  {
    name: 'first_of_equal_claims_is_paid',
    what: 'When two claims look the same, the first of them is paid.',
    patches: [
      {
        file: MATCHING,
        find: 'if (only === undefined || left.length > 1) return',
        replace: 'if (only === undefined) return',
      },
    ],
  },
  {
    name: 'equal_claims_of_two_businesses',
    what: 'Equal claims are paid in the order they came, whatever business they are of.',
    patches: [
      {
        file: MATCHING,
        find: 'against === null && claim.businessId === businessId && claim',
        replace: 'against === null && claim',
      },
      {
        file: MATCHING,
        find: 'const { businessId, walletKey } = first.claim;',
        replace: 'const { walletKey } = first.claim;',
      },
    ],
  },
  {
    name: 'other_name_is_paid',
    what: 'A payment under another name than the claim’s is taken without anybody looking.',
    patches: [
      {
        file: MATCHING,
        find: `  if (only.identified && only.against !== null)
    return { kind: 'held', transactionId, exception: only.against };
`,
        replace: '',
      },
    ],
  },
  {
    name: 'paid_buy_expires',
    what: 'A buy that was paid before its wallet was given expires with the money.',
    patches: [
      {
        file: EXPIRE,
        find: "  if (transaction.type === 'buy' && transaction.receivedMinor > 0n) return noWallet(transaction, atMs);\n",
        replace: '',
      },
    ],
  },
  {
    name: 'expiry_not_told',
    what: 'A transaction expires without a line in its timeline.',
    patches: [
      {
        file: EXPIRE,
        find: "transactions: [moveTo(transaction, 'expired', { actor: ACTOR, atMs, reason, dueAtMs: null })],",
        replace:
          "transactions: [{ ...moveOf(transaction, { state: 'expired', stateReason: reason, dueAtMs: null }), line: null }],",
      },
    ],
  },
  {
    name: 'paid_buy_cancelled',
    what: 'A buy can be cancelled after its payment was found.',
    patches: [
      {
        file: TRANSACTION,
        find: "!canMove(type, state, 'cancelled') || receivedMinor > 0n",
        replace: "!canMove(type, state, 'cancelled')",
      },
    ],
  },
  {
    name: 'limit_usage_not_counted',
    what: 'What a business moves is not counted against its limits.',
    patches: [
      {
        file: HOLDS,
        find: '    usage.push({ businessId, mode, period, amountMinor, limitMinor });\n',
        replace: '',
      },
    ],
  },
  {
    name: 'listed_account_is_paid',
    what: 'The account that a sell is paid out to is not looked for on the lists.',
    patches: [
      {
        file: HOLDS,
        find: "    { kind: 'account' as const, value: accountNumber },\n",
        replace: '',
      },
    ],
  },
  {
    name: 'refund_to_listed_people',
    what: 'A refund goes to somebody who is on a list.',
    patches: [
      {
        file: HOLDS,
        find: 'movement: id });\n  return hits.length > 0;',
        replace: 'movement: id });\n  return false;',
      },
    ],
  },
  {
    name: 'frozen_business_goes_on',
    what: 'A business that is frozen goes on as before.',
    patches: [
      {
        file: HOLDS,
        find: 'frozen.has(`${businessId} ${mode}`)',
        replace: 'frozen.has(`${mode} ${businessId}`)',
      },
    ],
  },
  {
    name: 'name_of_account_not_compared',
    what: 'A sell is paid out whoever owns the account.',
    patches: [
      {
        file: 'src/app/pay-out.ts',
        find: "if (verdict === 'strong') return null;",
        replace: 'if (verdict !== undefined) return null;',
      },
    ],
  },
  {
    name: 'refund_to_claimed_account',
    what: 'A refund goes to the account of the claim, whoever the bank says it came from.',
    patches: [
      {
        file: 'src/app/refund-destination.ts',
        find: "answer.kind !== 'found' || !sameName(answer.name, credit.payerName)",
        replace: "answer.kind !== 'found'",
      },
    ],
  },
];
