// The settings of a network on which real tokens move. A network of a known family is a row of these and needs no code.
import type { Mode } from '../../../domain/values/mode.ts';
import type { AddressFamily } from '../address-check.ts';

interface ChainSettings {
  /** The wire name. */
  readonly name: string;
  readonly mode: Mode;
  /** Providers, the preferred one first. */
  readonly rpc: readonly string[];
  readonly assetCode: string;
  /** By the settings; the start is refused when the chain differs. */
  readonly decimals: number;
  readonly native: { readonly asset: string; readonly decimals: number };
  /** The name of the treasury's key at the signer. */
  readonly key: string;
  /** Blocks until it is final, as shown to customers. */
  readonly confirmations: number;
  /** How long a payment takes until it is final, usually. */
  readonly finalAfterMs: number;
  /** `{hash}` is replaced by the transaction's hash. */
  readonly explorerTxUrl: string | null;
  /** From this amount on two providers must agree before it counts as paid or received; null: never. */
  readonly agreeFromMinor: bigint | null;
  readonly marks: { readonly tokenMinor: bigint; readonly nativeMinor: bigint };
  /** Payments that may share one transaction, at most. */
  readonly batch: number;
}

/** What the rows of all families have in common, before the fields of the family are read. */
export interface CommonSettings extends ChainSettings {
  readonly family: AddressFamily;
  readonly token: string;
}

/** Stands for the address of a contract that is not deployed yet. With it in the settings a network does not start. */
export const NOT_DEPLOYED = '0x0000000000000000000000000000000000000000';

export interface EvmSettings extends ChainSettings {
  readonly family: 'evm';
  readonly chainId: number;
  /** The token's contract. */
  readonly token: string;
  /** The contract that makes many payments at once; null: payments go one by one. */
  readonly disperse: string | null;
  /** The contract that makes deposit addresses and sweeps them. */
  readonly forwarderFactory: string;
  /** The block from which deposits are looked for. */
  readonly firstBlock: bigint;
  /** How many blocks a provider answers logs for at once. */
  readonly logBlocks: number;
  /** After this time in the pool a payment is signed again with a higher fee. */
  readonly stuckAfterMs: number;
  /** The highest price for a unit of gas. */
  readonly maxFeePerGas: bigint;
}

export interface SolanaSettings extends ChainSettings {
  readonly family: 'solana';
  /** The token's mint. */
  readonly token: string;
  readonly offCurve: 'accept' | 'refuse';
  /** Offered per unit of compute, in millionths of a lamport. */
  readonly priorityFee: bigint;
  /** The highest price, after payments with the first one expired. */
  readonly priorityFeeCap: bigint;
  /** Names of the issuer's powers over holders that the operator accepts. */
  readonly acceptPowers: readonly string[];
}

export interface StellarSettings extends ChainSettings {
  readonly family: 'stellar';
  /** The token's issuer. */
  readonly token: string;
  readonly passphrase: string;
  /** How long signed bytes stay valid. */
  readonly validForMs: number;
  /** Offered for one operation, in stroops, as long as the network is not full. */
  readonly feePerOperation: bigint;
  /** The highest fee for one operation. */
  readonly maxFeePerOperation: bigint;
  /** What happens with a payment to a wallet without a trustline. */
  readonly withoutTrustline: 'wait' | 'claimable_balance';
  /** Whether the issuer may be able to take back or freeze what the treasury holds. */
  readonly issuerControl: 'accept' | 'refuse';
}

export type NetworkSettings = EvmSettings | SolanaSettings | StellarSettings;

/** Whether an amount counts only when two providers show it. */
export function amountNeedsTwoProviders(
  { agreeFromMinor }: Pick<ChainSettings, 'agreeFromMinor'>,
  amountMinor: bigint,
): boolean {
  return agreeFromMinor !== null && amountMinor >= agreeFromMinor;
}

const LOOKS_TILL_FINAL = 4;
const RAREST_LOOK_MS = 5_000;

/** Often enough that a deposit is seen well before it is final. */
export function observeEveryMs({ finalAfterMs }: Pick<ChainSettings, 'finalAfterMs'>): number {
  return Math.min(RAREST_LOOK_MS, Math.ceil(finalAfterMs / LOOKS_TILL_FINAL));
}
