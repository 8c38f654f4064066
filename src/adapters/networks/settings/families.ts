// The fields of the networks file that only one family of networks has: EVM, Solana or Stellar. A field with a safe default may
// be left out. A live network must set every fee limit.
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Mode } from '../../../domain/values/mode.ts';
import type { SettingsProblems } from '../../settings-problems.ts';
import {
  enumSchema,
  integerSchema,
  nullableSchema,
  readBySchema,
  textSchema,
} from '../../settings-reader.ts';
import type { AddressFamily } from '../address-check.ts';
import chains from './chain-kinds.json' with { type: 'json' };
import { type KnownNetwork, kindOfPassphrase } from './known-network.ts';
import { type CommonSettings, type NetworkSettings, NOT_DEPLOYED } from './settings.ts';
import { amountSchema, contractAddressSchema, parseMinor, spellAddress } from './values.ts';

export interface RowFacts {
  readonly name: string;
  readonly mode: Mode;
  readonly isLive: boolean;
  readonly family: AddressFamily;
  readonly known: KnownNetwork | undefined;
  /** For a live network, the same as `known`. Otherwise undefined. */
  readonly main: KnownNetwork | undefined;
  /** True means that the row of a known live network sets no token. Then the network uses the token that the product knows. */
  readonly isOurToken: boolean;
}

const GWEI_DECIMALS = 9;
/** This is higher than any fee that was ever paid. An amount that is given in wei by mistake is far above this limit. */
const MOST_PER_GAS = 1_000_000n * 10n ** BigInt(GWEI_DECIMALS);
/** This limit is one lumen per operation. */
const MOST_STROOPS = 10_000_000;
/** This limit is 0.02 SOL for 200,000 compute units. */
const MOST_PRIORITY_FEE = 100_000_000;
/** This is 0.0002 SOL for 200,000 compute units. The default cap of the price is never lower. */
const RAISED_PRIORITY_FEE = 1_000_000;

export const FAMILY_FIELDS: Readonly<Record<AddressFamily, (facts: RowFacts) => Record<string, TSchema>>> = {
  evm: evmFields,
  solana: solanaFields,
  stellar: stellarFields,
};

type RowOf<Fields extends (facts: RowFacts) => Record<string, TSchema>> = Static<TObject<ReturnType<Fields>>>;

export function readFamilySettings(
  row: object,
  common: CommonSettings,
  at: SettingsProblems,
): NetworkSettings {
  switch (common.family) {
    case 'evm':
      return readEvmSettings(row as RowOf<typeof evmFields>, common, at);
    case 'solana':
      return readSolanaSettings(row as RowOf<typeof solanaFields>, common, at);
    case 'stellar':
      return readStellarSettings(row as RowOf<typeof stellarFields>, common, at);
  }
}

function evmFields(facts: RowFacts) {
  const { isLive, main } = facts;
  const contract = contractAddressSchema(facts);
  return {
    chain_id: integerSchema(1, Number.MAX_SAFE_INTEGER, main?.chainId),
    kind: Type.Optional(enumSchema(CHAIN_KINDS)),
    disperse: nullableSchema(contract, `an address on ${facts.name} (in quotes), or null`, null),
    forwarder_factory: contract,
    first_block: integerSchema(0, Number.MAX_SAFE_INTEGER, isLive ? undefined : 0),
    log_blocks: integerSchema(1, 100_000, 500),
    stuck_after_ms: integerSchema(1_000, 3_600_000, 60_000),
    max_fee_per_gas_gwei: amountSchema(isLive ? undefined : '500'),
  };
}

function readEvmSettings(
  row: RowOf<typeof evmFields>,
  common: CommonSettings,
  at: SettingsProblems,
): NetworkSettings {
  refuseChainKind(row, common, at);
  const fee = at.at('max_fee_per_gas_gwei');
  const maxFeePerGas = parseMinor(row.max_fee_per_gas_gwei, GWEI_DECIMALS, fee);
  if (maxFeePerGas === 0n || maxFeePerGas > MOST_PER_GAS)
    fee.add('must be above 0 and at most 1000000: it is in gwei');
  const disperse = row.disperse === null ? null : spellAddress(row.disperse, common);
  const forwarderFactory = spellAddress(row.forwarder_factory, common);
  const contracts = [common.token, disperse, forwarderFactory].filter((each) => each !== NOT_DEPLOYED);
  if (new Set(contracts).size < contracts.length)
    at.at('forwarder_factory').add(
      'must differ from "token" and "disperse", which must differ from each other',
    );
  return {
    ...common,
    family: 'evm',
    chainId: row.chain_id,
    disperse,
    forwarderFactory,
    firstBlock: BigInt(row.first_block),
    logBlocks: row.log_blocks,
    stuckAfterMs: row.stuck_after_ms,
    maxFeePerGas,
  };
}

/**
 * Live mode is for main chains, and test mode is for all other chains. For a rehearsal, live mode may run on a local chain if the
 * row allows it.
 */
function refuseChainKind(
  { chain_id: chainId, kind: said }: RowOf<typeof evmFields>,
  { mode }: CommonSettings,
  at: SettingsProblems,
): void {
  const listed = kindOfChain(chainId);
  const kind: ChainKind | undefined = listed ?? said;
  if (listed !== undefined && said !== undefined && said !== listed)
    at.at('kind').add(`must be "${listed}" for the chain ${chainId}, or left out`);
  else if (kind === undefined)
    at.at('kind').add(
      `is missing: the product does not know the chain ${chainId}. Write "main" where its tokens have value, "test" for a ` +
        'test network, "local" for a chain on your own machines',
    );
  else if (mode === 'test' && kind === 'main')
    at.at('chain_id').add('belongs to a main network; a test network needs its own');
  else if (mode === 'live' && kind === 'test')
    at.at('chain_id').add(
      'belongs to a test network, whose tokens have no value; live mode needs a main one',
    );
  else if (mode === 'live' && kind === 'local' && said === undefined)
    at.at('chain_id').add('belongs to a local chain; to rehearse live mode on it, write "kind": "local"');
}

function solanaFields({ isLive }: RowFacts) {
  const power = textSchema(
    /^[a-z0-9_]{1,40}$/,
    'a name of a power, as shown in the error when the network starts',
  );
  return {
    off_curve: enumSchema(['accept', 'refuse'], 'accept'),
    priority_fee: integerSchema(0, MOST_PRIORITY_FEE, isLive ? undefined : 0),
    priority_fee_cap: Type.Optional(integerSchema(0, MOST_PRIORITY_FEE)),
    accept_powers: Type.Array(power, {
      default: [],
      description: 'a list of names of powers, as shown in the error when the network starts',
    }),
  };
}

function readSolanaSettings(
  row: RowOf<typeof solanaFields>,
  common: CommonSettings,
  at: SettingsProblems,
): NetworkSettings {
  const { priority_fee: fee } = row;
  const tenfold = 10 * fee < MOST_PRIORITY_FEE ? 10 * fee : MOST_PRIORITY_FEE;
  const usualCap = tenfold > RAISED_PRIORITY_FEE ? tenfold : RAISED_PRIORITY_FEE;
  const cap = row.priority_fee_cap ?? usualCap;
  readBySchema(integerSchema(fee, MOST_PRIORITY_FEE), cap, at.at('priority_fee_cap'));
  return {
    ...common,
    family: 'solana',
    offCurve: row.off_curve,
    priorityFee: BigInt(fee),
    priorityFeeCap: BigInt(cap),
    acceptPowers: row.accept_powers,
  };
}

function stellarFields({ main }: RowFacts) {
  return {
    passphrase: textSchema(/^[\x20-\x7e]{1,200}$/, 'the passphrase of the network', main?.passphrase),
    // With a shorter time a payment may miss the next ledgers. With a longer time the outcome of a lost payment stays unknown
    // longer.
    valid_for_ms: integerSchema(30_000, 300_000, 90_000),
    // This is the highest bid, not the price. A ledger charges all transactions the same fee, usually the minimum.
    fee_per_operation: integerSchema(100, MOST_STROOPS, 10_000),
    max_fee_per_operation: Type.Optional(integerSchema(100, MOST_STROOPS)),
    without_trustline: enumSchema(['wait', 'claimable_balance'], 'wait'),
    issuer_control: enumSchema(['accept', 'refuse'], 'accept'),
  };
}

function readStellarSettings(
  row: RowOf<typeof stellarFields>,
  common: CommonSettings,
  at: SettingsProblems,
): NetworkSettings {
  const kind = kindOfPassphrase(row.passphrase);
  if (common.mode === 'test' && kind === 'main')
    at.at('passphrase').add('belongs to the main network; a test network needs its own');
  if (common.mode === 'live' && kind === 'test')
    at.at('passphrase').add('belongs to a test network, whose tokens have no value');
  const { fee_per_operation: fee } = row;
  const most = row.max_fee_per_operation ?? (fee > 1_000_000 ? fee : 1_000_000);
  if (most < fee) at.at('max_fee_per_operation').add('must not be below "fee_per_operation"');
  return {
    ...common,
    family: 'stellar',
    passphrase: row.passphrase,
    validForMs: row.valid_for_ms,
    feePerOperation: BigInt(fee),
    maxFeePerOperation: BigInt(most),
    withoutTrustline: row.without_trustline,
    issuerControl: row.issuer_control,
  };
}

// Lists which EVM chains are main chains, where tokens have value, and which chains are for tests or run on one machine. The
// list comes from viem's chains. Loading them takes more than a second, so their ids are stored in a file, and a test compares
// the file with viem.

const CHAIN_KINDS = ['main', 'test', 'local'] as const;
export type ChainKind = (typeof CHAIN_KINDS)[number];

const KINDS: ReadonlyMap<number, ChainKind> = new Map(
  CHAIN_KINDS.flatMap((kind) => chains[kind].map((id) => [id, kind] as const)),
);

/** Undefined means that the chain is not in the list. */
export function kindOfChain(chainId: number): ChainKind | undefined {
  return KINDS.get(chainId);
}
