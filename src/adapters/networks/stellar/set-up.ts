// The one-time set-up of a new treasury account, in a separate transaction: a trustline for the token, and a data entry. The data
// entry makes wallets ask their users for a memo. Existing entries are not changed.
import { Asset, Operation } from '@stellar/stellar-sdk/base';
import type { SignedTransaction, WalletTurn } from '../../../ports/networks/network-payer.ts';
import type { NetworkSetUp, SetUpState } from '../../../ports/networks/set-up.ts';
import type { ChainParts } from '../chain-parts.ts';
import type { StellarSettings } from '../settings/settings.ts';
import {
  type AccountState,
  ledgerOfAccount,
  loadAccount,
  MEMO_REQUIRED,
  type StellarToken,
  spendableNative,
} from './horizon/account.ts';
import { buildFromOperations, hashOf, writePayload } from './horizon/envelope.ts';
import { loadLedger, type StellarLedgerState } from './horizon/ledgers.ts';
import type { StellarChain } from './horizon/stellar-chain.ts';
import { makeStellarChain } from './open.ts';
import { makeAsk } from './pay/ask.ts';
import { makeBroadcast } from './pay/broadcast.ts';
import { computeValidUntil } from './pay/prepare.ts';
import { signTransaction } from './pay/signing.ts';
import { readStartFacts, setUpProblem } from './start-checks.ts';

interface MissingSetUp {
  readonly line: boolean;
  readonly mark: boolean;
}

export function treasuryOperations(
  { code, issuer }: StellarToken,
  missing: MissingSetUp = { line: true, mark: true },
) {
  return [
    ...(missing.line ? [Operation.changeTrust({ asset: new Asset(code, issuer) })] : []),
    ...(missing.mark ? [Operation.manageData({ name: MEMO_REQUIRED, value: '1' })] : []),
  ];
}

export async function openStellarSetUp(settings: StellarSettings, parts: ChainParts): Promise<NetworkSetUp> {
  const chain = await makeStellarChain(settings, parts);
  return {
    name: settings.name,
    wallet: chain.treasury,
    native: settings.native,
    orderedBy: chain.treasury,
    explorerUrl: (hash) => settings.explorerTxUrl?.replace('{hash}', hash) ?? null,
    look: () => readSetUpState(chain),
    ...makeBroadcast(chain),
    ...makeAsk(chain),
  };
}

interface TreasuryFacts {
  readonly ledger: StellarLedgerState;
  readonly account: AccountState;
}

async function readSetUpState(chain: StellarChain): Promise<SetUpState> {
  const { settings, providers, treasury, token } = chain;
  await readStartFacts(chain, setUpProblem);
  const said = await providers.agree(
    async (horizon) => ({
      ledger: await loadLedger(horizon),
      account: (await loadAccount(horizon, treasury, token))!,
    }),
    (a, b) => textOfFacts(a) === textOfFacts(b),
  );
  if (said.kind === 'differ')
    throw new Error(`${settings.name}: the providers disagree about the treasury. Try again soon.`);
  const { ledger, account } = said.answer;
  const missing = { line: account.trustline === undefined, mark: !account.memoRequired };
  const nativeMinor = spendableNative(account, ledger);
  const advice =
    account.trustline?.authorised === false
      ? [
          `Ask ${token.issuer} to authorise ${treasury} to hold ${token.code}. Until then nothing can be paid.`,
        ]
      : [];
  const count = BigInt(treasuryOperations(token, missing).length);
  if (count === 0n) return { steps: [], nativeMinor, advice };
  const parts = [
    ...(missing.line ? [`open a trustline for ${token.code} of ${token.issuer}, without limit`] : []),
    ...(missing.mark ? [`set ${MEMO_REQUIRED} to 1, so that wallets ask their users for a memo`] : []),
  ];
  const step = {
    what: parts.join('; '),
    // Each entry locks a base reserve as long as it exists.
    costMinor: count * (settings.feePerOperation + ledger.baseReserveMinor),
    sign: (turn: WalletTurn) => signStep(chain, said.answer, missing, turn),
  };
  return { steps: [step], nativeMinor, advice };
}

function textOfFacts({ account: { sequence, trustline, memoRequired } }: TreasuryFacts): string {
  return JSON.stringify([`${sequence}`, trustline !== undefined, memoRequired]);
}

async function signStep(
  chain: StellarChain,
  { ledger, account }: TreasuryFacts,
  missing: MissingSetUp,
  { lastSequence }: WalletTurn,
): Promise<SignedTransaction> {
  const { settings, treasury, token, clock } = chain;
  const { name, passphrase, feePerOperation } = settings;
  const sequence = account.sequence + 1n;
  if (lastSequence !== null && BigInt(lastSequence) >= sequence)
    throw new Error(`${name}: the providers have not seen the last payment yet. Try again soon.`);
  const validUntilSeconds = computeValidUntil(chain, ledger);
  const frame = { source: treasury, sequence, passphrase, feePerOperation, validUntilSeconds };
  const transaction = buildFromOperations(frame, treasuryOperations(token, missing));
  const refusal = await signTransaction(chain, transaction, []);
  if (refusal !== undefined) throw refusal;
  return {
    hash: hashOf(transaction),
    source: treasury,
    sequence: `${sequence}`,
    payload: writePayload({
      xdr: transaction.toXdr(),
      amountMinor: 0n,
      afterLedger: ledgerOfAccount(account),
    }),
    bound: `${validUntilSeconds * 1000}`,
    signedAtMs: clock.now(),
  };
}
