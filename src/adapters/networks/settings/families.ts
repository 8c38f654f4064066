// The fields that only one family of networks has in the networks file: EVM, Solana or Stellar. A field with a safe default
// may be left out; a live network must name every fee limit itself.
import type { AddressFamily } from '../address-family.ts';
import { addressIn } from './addresses.ts';
import { CHAIN_KINDS, type ChainKind, kindOfChain } from './chain-kinds.ts';
import { amount, type Fields, oneOf, text, whole, words } from './fields.ts';
import { type KnownNetwork, kindOfPassphrase } from './known.ts';
import { type CommonSettings, type NetworkSettings, NOT_DEPLOYED } from './settings.ts';

export const FAMILY_FIELDS = {
  evm: [
    'chain_id',
    'kind',
    'disperse',
    'forwarder_factory',
    'first_block',
    'log_blocks',
    'stuck_after_ms',
    'max_fee_per_gas_gwei',
  ],
  solana: ['off_curve', 'priority_fee', 'priority_fee_cap', 'accept_powers'],
  stellar: [
    'passphrase',
    'valid_for_ms',
    'fee_per_operation',
    'max_fee_per_operation',
    'without_trustline',
    'issuer_control',
  ],
} as const;
type FamilyFields = Fields<(typeof FAMILY_FIELDS)[AddressFamily][number]>;

const GWEI_DECIMALS = 9;
/** Above every fee that was ever paid; an amount given in wei by mistake is far above it. */
const MOST_PER_GAS = 1_000_000n * 10n ** BigInt(GWEI_DECIMALS);
/** For one operation: a whole lumen. */
const MOST_STROOPS = 10_000_000;
/** 0.02 SOL for 200,000 units. */
const MOST_PRIORITY_FEE = 100_000_000;
/** 0.0002 SOL for 200,000 units. */
const RAISED_PRIORITY_FEE = 1_000_000;
const POWER = {
  pattern: /^[a-z0-9_]{1,40}$/,
  what: 'a list of names, such as the start of the network shows in its error',
};
const PASSPHRASE = { pattern: /^[\x20-\x7e]{1,200}$/, what: 'the passphrase of the network' };

/** `main` is what is known of the main network of this name, for a live network only. */
export function familySettings(
  fields: FamilyFields,
  common: CommonSettings,
  main: KnownNetwork | undefined,
): NetworkSettings {
  switch (common.family) {
    case 'evm':
      return evmSettings(fields, common, main);
    case 'solana':
      return solanaSettings(fields, common);
    case 'stellar':
      return stellarSettings(fields, common, main);
  }
}

function evmSettings(
  fields: FamilyFields,
  common: CommonSettings,
  main: KnownNetwork | undefined,
): NetworkSettings {
  const live = common.mode === 'live';
  const chainId = whole(fields, 'chain_id', [1, Number.MAX_SAFE_INTEGER], main?.chainId);
  requireKind(fields, common, chainId);
  const maxFeePerGas = amount(fields, 'max_fee_per_gas_gwei', GWEI_DECIMALS, live ? undefined : '500');
  if (maxFeePerGas === 0n || maxFeePerGas > MOST_PER_GAS)
    throw fields.problem('max_fee_per_gas_gwei', 'must be above 0 and at most 1000000: it is in gwei');
  const contractIn = (name: 'disperse' | 'forwarder_factory') =>
    fields.value(name) === NOT_DEPLOYED ? NOT_DEPLOYED : addressIn(fields, name, common);
  const disperse = (fields.value('disperse') ?? null) === null ? null : contractIn('disperse');
  const forwarderFactory = contractIn('forwarder_factory');
  const contracts = [common.token, disperse, forwarderFactory].filter((each) => each !== NOT_DEPLOYED);
  if (new Set(contracts).size < contracts.length)
    throw fields.problem(
      'forwarder_factory',
      'must differ from "token" and "disperse", which must differ from each other',
    );
  return {
    ...common,
    family: 'evm',
    chainId,
    disperse,
    forwarderFactory,
    firstBlock: BigInt(whole(fields, 'first_block', [0, Number.MAX_SAFE_INTEGER], live ? undefined : 0)),
    logBlocks: whole(fields, 'log_blocks', [1, 100_000], 500),
    stuckAfterMs: whole(fields, 'stuck_after_ms', [1_000, 3_600_000], 60_000),
    maxFeePerGas,
  };
}

/** Live mode is for main chains, test mode for the others; a rehearsal may run live mode on a local chain, if its row says so. */
function requireKind(fields: FamilyFields, { mode }: CommonSettings, chainId: number): void {
  const listed = kindOfChain(chainId);
  const said = fields.value('kind') === undefined ? undefined : oneOf(fields, 'kind', CHAIN_KINDS);
  if (listed !== undefined && said !== undefined && said !== listed)
    throw fields.problem('kind', `must be "${listed}" for the chain ${chainId}, or left out`);
  const kind: ChainKind | undefined = listed ?? said;
  if (kind === undefined)
    throw fields.problem(
      'kind',
      `is missing: the product does not know the chain ${chainId}. Write "main" where its tokens have value, "test" for a ` +
        'test network, "local" for a chain on your own machines',
    );
  if (mode === 'test' && kind === 'main')
    throw fields.problem('chain_id', 'belongs to a main network; a test network needs its own');
  if (mode === 'live' && kind === 'test')
    throw fields.problem(
      'chain_id',
      'belongs to a test network, whose tokens have no value; live mode needs a main one',
    );
  if (mode === 'live' && kind === 'local' && said === undefined)
    throw fields.problem(
      'chain_id',
      'belongs to a local chain; to rehearse live mode on it, write "kind": "local"',
    );
}

function solanaSettings(fields: FamilyFields, common: CommonSettings): NetworkSettings {
  const live = common.mode === 'live';
  const fee = whole(fields, 'priority_fee', [0, MOST_PRIORITY_FEE], live ? undefined : 0);
  const tenfold = 10 * fee < MOST_PRIORITY_FEE ? 10 * fee : MOST_PRIORITY_FEE;
  const usualCap = tenfold > RAISED_PRIORITY_FEE ? tenfold : RAISED_PRIORITY_FEE;
  return {
    ...common,
    family: 'solana',
    offCurve: oneOf(fields, 'off_curve', ['accept', 'refuse'], 'accept'),
    priorityFee: BigInt(fee),
    priorityFeeCap: BigInt(whole(fields, 'priority_fee_cap', [fee, MOST_PRIORITY_FEE], usualCap)),
    acceptPowers: words(fields, 'accept_powers', POWER),
  };
}

function stellarSettings(
  fields: FamilyFields,
  common: CommonSettings,
  main: KnownNetwork | undefined,
): NetworkSettings {
  const passphrase = text(fields, 'passphrase', PASSPHRASE, main?.passphrase);
  const kind = kindOfPassphrase(passphrase);
  if (common.mode === 'test' && kind === 'main')
    throw fields.problem('passphrase', 'belongs to the main network; a test network needs its own');
  if (common.mode === 'live' && kind === 'test')
    throw fields.problem('passphrase', 'belongs to a test network, whose tokens have no value');
  // This is the highest bid, not the price: a ledger charges all transactions the same, usually the minimum.
  const feePerOperation = whole(fields, 'fee_per_operation', [100, MOST_STROOPS], 10_000);
  const usualMost = feePerOperation > 1_000_000 ? feePerOperation : 1_000_000;
  const maxFeePerOperation = whole(fields, 'max_fee_per_operation', [100, MOST_STROOPS], usualMost);
  if (maxFeePerOperation < feePerOperation)
    throw fields.problem('max_fee_per_operation', 'must not be below "fee_per_operation"');
  return {
    ...common,
    family: 'stellar',
    passphrase,
    // A shorter time may miss the next ledgers; with a longer one the outcome of a lost payment stays unknown for longer.
    validForMs: whole(fields, 'valid_for_ms', [30_000, 300_000], 90_000),
    feePerOperation: BigInt(feePerOperation),
    maxFeePerOperation: BigInt(maxFeePerOperation),
    withoutTrustline: oneOf(fields, 'without_trustline', ['wait', 'claimable_balance'], 'wait'),
    issuerControl: oneOf(fields, 'issuer_control', ['accept', 'refuse'], 'accept'),
  };
}
