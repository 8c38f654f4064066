// The settings of a network with real tokens. A network of a known family needs only a row of these settings and no code.
import type { Mode } from '../../../domain/values/mode.ts';
import type { AddressFamily } from '../address-check.ts';

interface ChainSettings {
  /** The name of the network in the API. */
  readonly name: string;
  readonly mode: Mode;
  /** The URLs of the providers, the preferred one first. */
  readonly rpc: readonly string[];
  readonly assetCode: string;
  /** The decimals in the settings. The service does not start when the chain has other decimals. */
  readonly decimals: number;
  readonly native: { readonly asset: string; readonly decimals: number };
  /** The name of the treasury's key at the signer. */
  readonly key: string;
  readonly confirmations: number;
  /** The usual time in milliseconds until a payment is final. */
  readonly finalAfterMs: number;
  /** `{hash}` is replaced by the transaction's hash. */
  readonly explorerTxUrl: string | null;
  /** From this amount on, two providers must agree before a payment or a deposit counts. Null means never. */
  readonly agreeFromMinor: bigint | null;
  readonly marks: { readonly tokenMinor: bigint; readonly nativeMinor: bigint };
  readonly batch: number;
}

export interface CommonSettings extends ChainSettings {
  readonly family: AddressFamily;
  readonly token: string;
}

/** The placeholder for a contract that is not deployed yet. A network with this placeholder in its settings does not start. */
export const NOT_DEPLOYED = '0x0000000000000000000000000000000000000000';

export interface EvmSettings extends ChainSettings {
  readonly family: 'evm';
  readonly chainId: number;
  readonly token: string;
  /** The contract for batches of payments. Null means that payments are sent one by one. */
  readonly disperse: string | null;
  readonly forwarderFactory: string;
  readonly firstBlock: bigint;
  readonly logBlocks: number;
  /** A payment that is pending for this time is signed again with a higher fee. */
  readonly stuckAfterMs: number;
  /** The highest price for a unit of gas, in wei. */
  readonly maxFeePerGas: bigint;
}

export interface SolanaSettings extends ChainSettings {
  readonly family: 'solana';
  /** The mint of the token. */
  readonly token: string;
  readonly offCurve: 'accept' | 'refuse';
  /** The price offered per compute unit, in millionths of a lamport. */
  readonly priorityFee: bigint;
  readonly priorityFeeCap: bigint;
  /** The names of the issuer's powers over token holders that the operator accepts. */
  readonly acceptPowers: readonly string[];
}

export interface StellarSettings extends ChainSettings {
  readonly family: 'stellar';
  /** The issuer of the token. */
  readonly token: string;
  readonly passphrase: string;
  readonly validForMs: number;
  /** The fee offered per operation, in stroops, while the network is not full. */
  readonly feePerOperation: bigint;
  /** The highest fee for one operation, in stroops. */
  readonly maxFeePerOperation: bigint;
  readonly withoutTrustline: 'wait' | 'claimable_balance';
  /** Whether to accept an issuer that can take back or freeze the treasury's tokens. */
  readonly issuerControl: 'accept' | 'refuse';
}

export type NetworkSettings = EvmSettings | SolanaSettings | StellarSettings;

export function amountNeedsTwoProviders(
  { agreeFromMinor }: Pick<ChainSettings, 'agreeFromMinor'>,
  amountMinor: bigint,
): boolean {
  return agreeFromMinor !== null && amountMinor >= agreeFromMinor;
}

const LOOKS_TILL_FINAL = 4;
const RAREST_LOOK_MS = 5_000;

/** The interval is short enough that a deposit is seen well before it is final. */
export function observeEveryMs({ finalAfterMs }: Pick<ChainSettings, 'finalAfterMs'>): number {
  return Math.min(RAREST_LOOK_MS, Math.ceil(finalAfterMs / LOOKS_TILL_FINAL));
}
