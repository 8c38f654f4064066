// Finds the current state of a deposit that was seen. A deposit is received when its transaction is final and moved exactly the
// seen amount of our token to the same account. A missing transaction may appear again, so its absence proves nothing. Only a
// final failure ends a deposit.
import { address } from '@solana/kit';
import type { Network } from '../../../../ports/networks/network.ts';
import { amountNeedsTwoProviders } from '../../settings/settings.ts';
import type { SolanaChain } from '../rpc/chain.ts';
import type { SolanaClient } from '../rpc/client.ts';
import { requireFreshProvider } from '../rpc/freshness.ts';
import { readLandedTransaction, UnreadableTransaction } from '../rpc/landed-transaction.ts';
import { tokenAccountOf } from '../rpc/token-account.ts';

type DepositAnswer = 'pending' | 'final' | 'gone' | 'unknown' | 'absent';
type DepositSighting = Parameters<Network['confirm']>[0];

export function makeConfirm(chain: SolanaChain): Network['confirm'] {
  const { providers, onTrouble } = chain;
  return async (sighting, how) => {
    try {
      const first = await providers.one((client) => readDepositAnswer(chain, client, sighting));
      const large =
        first === 'final' &&
        (how?.byTwo === true || amountNeedsTwoProviders(chain.settings, sighting.amountMinor));
      if (!large && first !== 'gone') return confirmationOf(first);
      const agreement = await providers.agree(
        (client) => readDepositAnswer(chain, client, sighting),
        (a, b) => a === b,
      );
      if (agreement.kind === 'agreed') return confirmationOf(agreement.answer);
      // A lagging provider returns `pending`. Any other difference is reported to operators.
      const behind = agreement.kind === 'unconfirmed' || agreement.answers.includes('pending');
      if (behind) return 'pending';
      const { txHash } = sighting;
      onTrouble('two providers disagree about a deposit', { txHash, answers: agreement.answers });
      return 'unknown';
    } catch {
      return 'unknown';
    }
  };
}

async function readDepositAnswer(
  chain: SolanaChain,
  client: SolanaClient,
  sighting: DepositSighting,
): Promise<DepositAnswer> {
  const { txHash, txIndex, amountMinor } = sighting;
  const { mint } = chain;
  const [status = null] = (await client.statuses([txHash])).found;
  if (status === null || !status.final) {
    await requireFreshProvider(chain, client);
    return status === null ? 'absent' : 'pending';
  }
  if (status.failure !== null) return 'gone';
  const raw = await client.transaction(txHash, 'finalized');
  if (raw === null) return 'pending';
  try {
    const { tokens, failed } = readLandedTransaction(raw);
    // The provider that first showed the deposit may have returned a false token or recipient, so both are checked again.
    const account = await tokenAccountOf(mint, address(sighting.address));
    const change = tokens.find(({ index }) => index === txIndex);
    const isOurs = change?.account === account && change.mint === mint.address;
    const came = isOurs ? change.afterMinor - change.beforeMinor : 0n;
    return !failed && came === amountMinor ? 'final' : 'unknown';
  } catch (error) {
    if (error instanceof UnreadableTransaction) return 'unknown';
    throw error;
  }
}

function confirmationOf(answer: DepositAnswer): 'pending' | 'final' | 'gone' | 'unknown' {
  return answer === 'absent' ? 'pending' : answer;
}
