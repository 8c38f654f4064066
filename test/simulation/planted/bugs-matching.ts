// Mistakes about buys on their way in: requests, matching, expiry, and limits.
import type { Bug } from './plant.ts';

const BUY = 'src/domain/settlement/buy.ts';
const MATCH = 'src/app/settlement/match-credits.ts';
const MATCHING = 'src/domain/matching/match-credit.ts';
const TRANSACTION = 'src/domain/settlement/customer-requests.ts';
const HOLDS = 'src/app/settlement/hold-checks.ts';
const EXPIRE = 'src/app/settlement/expire-transactions.ts';

export const MATCHING_BUGS: readonly Bug[] = [
  {
    name: 'acceptance_not_waited_for',
    what: 'A request is answered as accepted although the store did not answer.',
    patches: [
      {
        file: 'src/app/intake/accept-transaction.ts',
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
    name: 'expired_claims_not_looked_at',
    what: 'Matching no longer looks at expired buys, so a late payment finds nobody.',
    patches: [
      {
        file: 'src/domain/matching/evidence.ts',
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
    seeds: 600,
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
    name: 'waiting_credit_forgotten',
    what: 'A credit that waits for a better fit is never looked at again.',
    patches: [{ file: MATCH, find: 'dueAtMs: verdict.untilMs', replace: 'dueAtMs: null' }],
  },
  {
    name: 'claim_unnoticed_by_earlier_credit',
    seeds: 600,
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
    name: 'other_account_is_paid',
    what: 'A payment that names the buy is taken without anybody looking, whatever account of the same bank it came from.',
    patches: [
      {
        file: 'src/domain/matching/evidence.ts',
        find: "account === 'different' || bank === 'different'",
        replace: "account === 'different' && bank === 'different'",
      },
    ],
  },
  {
    name: 'equal_claims_of_two_wallets',
    what: 'Equal claims are paid in the order they came, whatever wallet they are for.',
    patches: [
      {
        file: 'src/domain/matching/match-credit.ts',
        find: ' && claim.walletKey === walletKey',
        replace: '',
      },
    ],
  },
];
