// Lists planted bugs in the checks of payees: screening lists, names and accounts.
import { type Bug, within } from '../patch.ts';

const isListed = within('isDestinationListed', { beside: 'checkHolds' });

export const PAYEE_BUGS: readonly Bug[] = [
  {
    name: 'listed_account_is_paid',
    what: 'The account that a sell is paid out to is not screened.',
    patches: [within('screeningSubjectsOf').drop("{ kind: 'account' as const, value: accountNumber }")],
  },
  {
    name: 'refund_to_listed_people',
    what: 'A refund is paid to a person on a screening list.',
    patches: [isListed.exchange('return hits.length > 0', 'return false')],
  },
  {
    name: 'frozen_business_goes_on',
    what: 'A freeze holds the transactions that were released in review, and not the others.',
    patches: [within('checkHolds').exchange('!transaction.released', 'transaction.released')],
  },
  {
    name: 'name_of_account_not_compared',
    what: 'A sell is paid out without comparing the name of the account’s owner.',
    patches: [
      within('checkPayoutAccount', { folder: 'account-lookups' }).exchange(
        "verdict === 'strong'",
        'verdict !== undefined',
      ),
    ],
  },
  {
    name: 'other_name_is_paid',
    what: 'A payment under another name than the claim’s is accepted without review.',
    patches: [within('decideExact').drop("return { kind: 'held', transactionId, exception: only.against }")],
  },
  {
    name: 'refund_to_claimed_account',
    seeds: 600,
    what: 'A refund is paid to the account of the claim, even if the bank names another payer.',
    patches: [
      within('findPayerAccount', { folder: 'movements' }).drop(
        '|| !isSameName(answer.name, credit.payerName)',
      ),
    ],
  },
  {
    name: 'refund_to_masked_namesake',
    from: 1001,
    seeds: 1000,
    what: 'A refund is paid to the account of the claim although the visible digits of the payer’s account differ.',
    patches: [
      within('findPayerAccount', { folder: 'movements' }).exchange(
        "compareAccounts(credit.payerAccount, accountNumber) === 'different'",
        'false',
      ),
    ],
  },
  {
    name: 'withdrawal_to_listed_wallet',
    what: 'A withdrawal by the operator goes to a wallet on a screening list.',
    patches: [isListed.drop("&& kind !== 'withdrawal'")],
  },
  {
    name: 'listed_wallet_is_paid',
    what: 'The wallet that receives the tokens of a buy is not screened.',
    patches: [within('screeningSubjectsOf').exchange('wallet === null', 'wallet !== undefined')],
  },
];
