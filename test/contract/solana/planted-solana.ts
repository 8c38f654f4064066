// Contains mistakes that the Solana adapter could have, similar to a rule that once led to a double payment. Each of them must
// make a case of the contract fail.
import { type Bug, within } from '../../simulation/planted/patch.ts';

const look = within('searchBlocks');
const oneIsEnough = within('makeBroadcastAndAsk', { folder: 'solana' }).exchange('providers.count', '1');

/** Which cases must catch the mistake. The cases about lags must catch their mistakes without the other cases. */
export interface SolanaBug extends Bug {
  readonly by: 'lags' | 'others';
}

export const SOLANA_BUGS: readonly SolanaBug[] = [
  {
    name: 'status_believed',
    by: 'lags',
    what: 'A missing status counts as a proof once the bound has passed, whatever the blocks hold.',
    patches: [look.exchange('link.marks.includes(ours)', 'false')],
  },
  {
    name: 'links_ignored',
    by: 'others',
    what: 'A block that is left out of the list is not missed.',
    patches: [look.exchange('!followsBlock(link, before)', 'false')],
  },
  {
    name: 'unread_passed_over',
    by: 'others',
    what: 'A block that cannot be read is passed over.',
    patches: [
      look.before('if (link === undefined) return', 'if (link === undefined) continue;'),
      look.exchange('!followsBlock(link, before)', 'false'),
    ],
  },
  {
    name: 'anchor_ignored',
    by: 'others',
    what: 'The blocks need not begin with the one whose hash the bytes name.',
    patches: [look.exchange('first?.hash !== blockhash', 'first === undefined')],
  },
  {
    name: 'one_provider_enough',
    by: 'others',
    what: 'The blocks of one provider are enough for a death.',
    patches: [
      oneIsEnough,
      within('makeBroadcastAndAsk', { folder: 'solana' }).before(
        "if (word.kind === 'doubtful'",
        "if (word.kind === 'expired') return ended(prepared, [word]);",
      ),
    ],
  },
  {
    name: 'foreign_blockhash_signed',
    by: 'others',
    what: 'A blockhash is believed that is not of the chain.',
    patches: [within('readSoundBlockhash').exchange('!isOfChain', 'false')],
  },
  {
    name: 'old_balance_believed',
    by: 'others',
    what: 'A balance counts whatever slot its answer is from.',
    patches: [
      within('accountCalls').exchange('minContextSlot: notBefore', 'minContextSlot: 0n'),
      within('accountCalls').exchange('context.slot < notBefore', 'false'),
    ],
  },
  {
    name: 'balance_not_compared',
    by: 'others',
    what: 'The list of transfers is not compared with the balance.',
    patches: [within('compareBalances').exchange('balance.heldMinor - expectedMinor', '0n')],
  },
  {
    name: 'empty_by_word',
    by: 'others',
    what: 'A deposit address counts as empty because providers said so when the sweep was signed.',
    patches: [within('readLandedEvidence').exchange('!showsEmptyAccount', '!Boolean')],
  },
  {
    name: 'gaps_ignored',
    by: 'others',
    what: 'A list of transactions counts as complete, whatever the accounts held in between.',
    patches: [within('makeObserve', { folder: 'solana' }).exchange('gaps.policy(account)', "'ignore'")],
  },
  {
    name: 'outflows_once_final',
    by: 'others',
    what: 'An outflow of the treasury is shown only once it is final.',
    patches: [
      within('listSince', { beside: 'makeOutflows', folder: 'solana' }).exchange(
        'each.slot > slot',
        'each.final && each.slot > slot',
      ),
    ],
  },
];
