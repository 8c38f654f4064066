// Finds the outcome of signed bytes from the responses of the servers. A closed ledger is final. Large sums need two providers.
// A result that allows an order to be signed again always needs two providers, and a proof from each.
import {
  DeathProof,
  type SignedVersions,
  witnessesNeeded,
} from '../../../../domain/movements/proof-of-death.ts';
import type { EnvelopeCost, SendStatus } from '../../../../ports/networks/network-payer.ts';
import { amountNeedsTwoProviders } from '../../settings/settings.ts';
import { claimableBalances, type EnvelopeVersions, readEnvelopeVersions } from '../horizon/envelope.ts';
import { findLandedPayment, type LandedPayment } from '../horizon/landed-payment.ts';
import type { NetworkPart, StellarChain } from '../horizon/stellar-chain.ts';
import { isOutbid } from './fees.ts';
import { type BytesFinding, findBytes } from './find-bytes.ts';

export function makeAsk(chain: StellarChain): NetworkPart<'ask' | 'shows'> {
  const { providers, settings } = chain;
  const said = new Set<string>();
  const sayOnce = (message: string, hash: string) => {
    if (!said.has(hash)) chain.onTrouble(`${settings.name}: ${message}`, { hash });
    said.add(hash);
  };
  return {
    shows: async ({ versions: prepared }) => {
      const versions = readEnvelopeVersions(prepared, settings.passphrase);
      const found = await providers.every((horizon) => findLandedPayment(chain, horizon, versions));
      return found.some((each) => each?.landed.successful === true);
    },
    ask: async ({ versions: prepared }) => {
      try {
        const versions = readEnvelopeVersions(prepared, settings.passphrase);
        if (!amountNeedsTwoProviders(settings, versions.amountMinor)) {
          const found = await providers.one((horizon) => findLandedPayment(chain, horizon, versions));
          if (found?.landed.successful === true) return settledStatus(chain, versions, found.landed);
        }
        const findings = await providers.every((horizon, name) => findBytes(chain, horizon, name, versions));
        const landed = findings.filter((each): each is LandedPayment => each.kind === 'landed');
        if (landed.length > 0) return judgeLanded(chain, versions, landed, findings);
        const open = judgeOpen(chain, versions, findings, sayOnce);
        const outbid = open.kind === 'pending' && (await isOutbid(chain, versions, findings));
        return outbid ? { kind: 'stuck' } : open;
      } catch (error) {
        return { kind: 'unknown', reason: (error as Error).message };
      }
    },
  };
}

function judgeLanded(
  chain: StellarChain,
  versions: EnvelopeVersions,
  landed: readonly LandedPayment[],
  findings: readonly BytesFinding[],
): SendStatus {
  const { providers, settings, onTrouble } = chain;
  const [first] = landed as [LandedPayment];
  const same = landed.every(
    ({ ledger, successful }) => ledger === first.ledger && successful === first.successful,
  );
  if (!same || findings.some((each) => contradictsLanding(each, first))) {
    const answers = findings.map(({ kind }) => kind);
    onTrouble(`${settings.name}: the providers disagree about a payment`, {
      hash: versions.innerHash,
      answers,
    });
    return { kind: 'unknown', reason: 'the providers disagree' };
  }
  const oneIsEnough = first.successful && !amountNeedsTwoProviders(settings, versions.amountMinor);
  const needed = oneIsEnough ? 1 : witnessesNeeded(providers.count);
  if (landed.length >= needed) return settledStatus(chain, versions, first);
  if (findings.length < needed) return { kind: 'unknown', reason: 'only one provider answered' };
  return { kind: 'pending' };
}

/**
 * A server that does not show the payment yet does not contradict it. A server contradicts it if it shows the sequence number
 * as unused or as used by a different transaction.
 */
function contradictsLanding(finding: BytesFinding, { ledger }: LandedPayment): boolean {
  if (finding.kind === 'displaced') return true;
  return finding.kind === 'absent' && finding.freeAt !== null && finding.freeAt >= ledger;
}

function judgeOpen(
  { settings, providers }: StellarChain,
  versions: EnvelopeVersions,
  findings: readonly BytesFinding[],
  sayOnce: (message: string, hash: string) => void,
): SendStatus {
  const absent = findings.filter((each) => each.kind === 'absent');
  const absences = absent.flatMap(({ absence }) => absence ?? []);
  const displacements = findings.flatMap((each) => (each.kind === 'displaced' ? [each.displacement] : []));
  const { hashes, sequence, boundMs, innerHash } = versions;
  const signed: SignedVersions = { hashes, sequence: `${sequence}` };
  const result = absent.find((each) => each.result !== null)?.result ?? null;
  const facts = { bound: new Date(boundMs).toISOString(), sequence: `${sequence}`, result };
  const death =
    DeathProof.byAbsence(absences, providers.count, facts) ??
    DeathProof.byDisplacement(signed, displacements, providers.count, facts);
  if (death !== undefined) {
    const feeMinor = absent.reduce((most, each) => (each.feeMinor > most ? each.feeMinor : most), 0n);
    return { kind: 'dead', death, ...(feeMinor > 0n && { cost: costOf(settings, feeMinor) }) };
  }
  if (findings.length < witnessesNeeded(providers.count) && absences.length + displacements.length > 0)
    return { kind: 'unknown', reason: 'only one provider answered' };
  if (findings.some((each) => each.kind === 'taken' && each.expired)) {
    const reason = 'its sequence number is used, and no provider shows by which transaction';
    sayOnce(`a payment is not found: ${reason}`, innerHash);
    return { kind: 'unknown', reason };
  }
  return { kind: 'pending' };
}

function settledStatus(
  { settings }: StellarChain,
  versions: EnvelopeVersions,
  landed: LandedPayment,
): SendStatus {
  const cost = costOf(settings, landed.feeMinor);
  if (!landed.successful) {
    const { reason, culprits } = landed;
    return { kind: 'failed', reason, cost, culprits };
  }
  const laidDown = claimableBalances(versions);
  const evidence = {
    ledger: landed.ledger,
    closedAt: landed.closedAt,
    ...(laidDown.length > 0 && { claimableBalances: laidDown }),
  };
  return { kind: 'final', hash: landed.hash, evidence, unpaid: [], cost };
}

function costOf({ native }: StellarChain['settings'], feeMinor: bigint): EnvelopeCost {
  return { asset: native.asset, feeMinor, opened: [] };
}
