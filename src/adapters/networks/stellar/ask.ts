// What became of signed bytes. A closed ledger is final; large sums take two providers. What lets an order be signed anew
// takes two whatever the sum: a lagging or lying provider must not make anybody pay twice.
import type { Cost, SendStatus } from '../../../ports/network.ts';
import type { Agreement } from '../providers.ts';
import { type Chain, needsTwo, type Part } from './chain.ts';
import { claimableBalances, type Stored, storedOf } from './envelope.ts';
import type { Horizon } from './horizon.ts';
import { type Finding, type Landed, look } from './landed.ts';

export function makeAsk(chain: Chain): Part<'ask'> {
  const { providers, settings } = chain;
  return {
    // Nothing is ever replaced here, so there is one version.
    ask: async ({ versions: [prepared] }) => {
      try {
        const stored = storedOf(prepared!, settings.passphrase);
        const work = (horizon: Horizon) => look(chain, horizon, stored);
        if (!needsTwo(settings, stored.amountMinor)) {
          const one = await providers.one(work);
          if (one.kind === 'absent') return { kind: 'pending' };
          if (one.kind === 'landed' && one.successful) return settled(chain, stored, one);
        }
        const agreement = await providers.agree(work, isSame);
        return agreement.kind === 'agreed'
          ? settled(chain, stored, agreement.answer)
          : doubtful(chain, stored, agreement);
      } catch (error) {
        return { kind: 'unknown', reason: (error as Error).message };
      }
    },
  };
}

function isSame(a: Finding, b: Finding): boolean {
  if (a.kind !== 'landed' || b.kind !== 'landed') return a.kind === b.kind;
  return a.ledger === b.ledger && a.successful === b.successful;
}

function settled({ settings }: Chain, stored: Stored, finding: Finding): SendStatus {
  if (finding.kind === 'absent') return { kind: 'pending' };
  const cost: Cost = { asset: settings.native.asset, feeMinor: finding.feeMinor, opened: [] };
  if (finding.kind === 'dead')
    return { kind: 'dead', evidence: finding.evidence, ...(finding.feeMinor > 0n && { cost }) };
  if (!finding.successful) {
    const { reason, culprits } = finding;
    return { kind: 'failed', reason, cost, culprits };
  }
  const laidDown = claimableBalances(stored, settings.passphrase);
  const evidence = {
    ledger: finding.ledger,
    closedAt: finding.closedAt,
    ...(laidDown.length > 0 && { claimableBalances: laidDown }),
  };
  return { kind: 'final', hash: stored.hash, evidence, unpaid: [], cost };
}

function doubtful(
  { settings, onTrouble }: Chain,
  { hash }: Stored,
  agreement: Exclude<Agreement<Finding>, { kind: 'agreed' }>,
): SendStatus {
  if (agreement.kind === 'unconfirmed') {
    if (agreement.answer.kind === 'absent') return { kind: 'pending' };
    return { kind: 'unknown', reason: 'only one provider answered' };
  }
  const { answers } = agreement;
  if (answers.every(({ kind }) => kind !== 'landed') || lags(answers)) return { kind: 'pending' };
  onTrouble(`${settings.name}: the providers disagree about a payment`, {
    hash,
    answers: answers.map(({ kind }) => kind),
  });
  return { kind: 'unknown', reason: 'the providers disagree' };
}

/** One has it in a ledger that the other has not taken in yet. */
function lags(answers: readonly Finding[]): boolean {
  const landed = answers.find((each): each is Landed => each.kind === 'landed');
  const absent = answers.find((each) => each.kind === 'absent');
  return landed !== undefined && absent !== undefined && absent.latest < landed.ledger;
}
