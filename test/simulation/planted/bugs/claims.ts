// Lists planted bugs in the code that handles late payments. It also lists bugs in claims that may refer to several payments,
// or to several accounts of one payer.
import { type Bug, within } from '../patch.ts';

const payBuy = within('payBuy', { beside: 'refundCredit' });

export const CLAIM_BUGS: readonly Bug[] = [
  {
    name: 'other_account_holds_the_claim',
    what: 'A payment from another account of the same name puts the claim on hold.',
    patches: [
      within('carryOutReview').exchange(
        "const nobodys = exception === 'no_claim' || exception === 'other_account'",
        "const nobodys = exception === 'no_claim'",
      ),
    ],
  },
  {
    name: 'other_account_is_the_payer',
    what: 'The name of the payer is enough: another account of that name pays for the claim.',
    patches: [
      within('weighClaim').exchange(
        "const identified = referenced || account === 'equal' || masked",
        "const identified = referenced || account === 'equal' || masked || name === 'strong'",
      ),
    ],
  },
  {
    name: 'parts_stay_open',
    what: 'The parts of a payment count for the buy and stay in review, so that they can be given back as well.',
    patches: [payBuy.exchange('[...parts.map((part) => part.credit), credit]', '[credit]')],
  },
  {
    name: 'parts_not_posted',
    what: 'The parts of a payment are matched and not posted.',
    patches: [payBuy.exchange('...parts.map((part) => entryOf', '...parts.slice(1).map((part) => entryOf')],
  },
  {
    name: 'parts_not_taken_off_the_rest',
    what: 'The last part is compared with the whole claim: nothing of a sum that is over goes back.',
    patches: [
      payBuy.exchange(
        'transaction.amountMinor - transaction.receivedMinor - partsMinor',
        'transaction.amountMinor - transaction.receivedMinor',
      ),
    ],
  },
  {
    name: 'top_up_never_completes',
    what: 'The rest of a partial payment joins it in review, although both are all that was asked for.',
    patches: [within('compareAmounts').exchange('!topUps || parts.length === 0', 'parts.length >= 0')],
  },
  {
    name: 'late_by_our_clock',
    what: 'A deposit is late when we saw it late, whenever it was made.',
    patches: [
      within('findDepositTimeMs').exchange(
        'chainAtMs >= createdAtMs && chainAtMs <= seenAtMs ? chainAtMs : seenAtMs',
        'seenAtMs > 0 ? seenAtMs : createdAtMs',
      ),
    ],
  },
];
