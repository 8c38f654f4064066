// Mistakes about who is paid, and when a payment counts as done.
import type { Bug } from './plant.ts';

export const PAYEE_BUGS: readonly Bug[] = [
  {
    name: 'included_is_final',
    what: 'A transfer that is in a block is taken for final.',
    patches: [
      {
        file: 'src/app/movements/network-steps.ts',
        find: 'return included(alive, soon, status.confirmations);',
        replace:
          'return finished(alive, atMs, { confirmations: status.confirmations }, { feeMinor: 0n, chargeMinor: 0n });',
      },
    ],
  },
  {
    name: 'listed_account_is_paid',
    what: 'The account that a sell is paid out to is not looked for on the lists.',
    patches: [
      {
        file: 'src/app/settlement/hold-checks.ts',
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
        file: 'src/app/settlement/hold-checks.ts',
        find: 'movement: id });\n  return hits.length > 0;',
        replace: 'movement: id });\n  return false;',
      },
    ],
  },
  {
    name: 'frozen_business_goes_on',
    what: 'A freeze holds what people released, and lets the rest go on.',
    patches: [
      {
        file: 'src/app/settlement/hold-checks.ts',
        find: '&& !transaction.released) {',
        replace: '&& transaction.released) {',
      },
    ],
  },
  {
    name: 'name_of_account_not_compared',
    what: 'A sell is paid out whoever owns the account.',
    patches: [
      {
        file: 'src/app/movements/pay-out.ts',
        find: "if (verdict === 'strong') return null;",
        replace: 'if (verdict !== undefined) return null;',
      },
    ],
  },
  {
    name: 'other_name_is_paid',
    what: 'A payment under another name than the claim’s is taken without anybody looking.',
    patches: [
      {
        file: 'src/domain/matching/match-credit.ts',
        find: `  if (only.identified && only.against !== null)
    return { kind: 'held', transactionId, exception: only.against };
`,
        replace: '',
      },
    ],
  },
  {
    name: 'refund_to_claimed_account',
    what: 'A refund goes to the account of the claim, whoever the bank says it came from.',
    patches: [
      {
        file: 'src/app/movements/refund-destination.ts',
        find: "answer.kind !== 'found' || !sameName(answer.name, credit.payerName)",
        replace: "answer.kind !== 'found'",
      },
    ],
  },
  {
    name: 'withdrawal_to_listed_wallet',
    what: 'What the operator takes out goes to a wallet that is on a list.',
    patches: [
      {
        file: 'src/app/settlement/hold-checks.ts',
        find: "(kind !== 'refund' && kind !== 'withdrawal') ||",
        replace: "kind !== 'refund' ||",
      },
    ],
  },
  {
    name: 'listed_wallet_is_paid',
    what: 'The wallet that a buy goes to is not looked for on the lists.',
    patches: [
      {
        file: 'src/app/settlement/hold-checks.ts',
        find: '...(wallet === null ?',
        replace: '...(wallet !== undefined ?',
      },
    ],
  },
];
