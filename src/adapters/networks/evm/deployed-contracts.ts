// Finds the contracts that the treasury of an EVM network has already deployed, according to one provider. Contracts that are
// not in the settings yet are found by the nonces of their deployment, so that each is deployed only once. Everything is read
// at one final block by its number, so that a lagging server must refuse the request.
import { getContractAddress, type Hex } from 'viem';
import { NOT_DEPLOYED } from '../settings/settings.ts';
import { ProviderFailure } from './rpc/answers.ts';
import type { EvmClient } from './rpc/client.ts';
import type { EvmContext } from './rpc/context.ts';
import {
  allowance,
  type ContractQuestion,
  disperseOwner,
  FORWARDER_CODE_HASH,
  factoryCodeHash,
  factoryTreasury,
  lowerHex,
} from './rpc/contracts.ts';
import { readHeads } from './rpc/envelope-standing.ts';

/** The contracts are among the first transactions of a treasury. */
const NONCES_LOOKED_AT = 60;

/** `undefined` means not deployed yet, and null means not needed. */
export interface DeployedContracts {
  readonly nonce: number;
  readonly nonceAtFinality: number;
  readonly factory: Hex | undefined;
  readonly disperse: Hex | null | undefined;
  readonly allowedMinor: bigint;
}

export function sameDeployedContracts(a: DeployedContracts, b: DeployedContracts): boolean {
  const textOf = (found: DeployedContracts) =>
    JSON.stringify({ ...found, allowedMinor: `${found.allowedMinor}` });
  return textOf(a) === textOf(b);
}

export async function findDeployedContracts(
  context: EvmContext,
  client: EvmClient,
): Promise<DeployedContracts> {
  const { settings, treasury, token, factory, disperse } = context;
  const { finalized } = await readHeads(client);
  const at = finalized.number;
  const [nonce, nonceAtFinality] = await Promise.all([
    client.nonce(treasury, 'latest'),
    client.nonce(treasury, at),
  ]);
  const lacksFactory = settings.forwarderFactory === NOT_DEPLOYED;
  const lacksDisperse = settings.disperse === NOT_DEPLOYED;
  const nonces = lacksFactory || lacksDisperse ? Math.min(nonceAtFinality, NONCES_LOOKED_AT) : 0;
  const made = Array.from({ length: nonces }, (_, nonce) => contractAddressAt(context, nonce));
  const kinds = await Promise.all(made.map((address) => contractKindAt(client, treasury, address, at)));
  const madeAs = (kind: 'factory' | 'disperse') => made[kinds.indexOf(kind)];
  const payer = lacksDisperse ? madeAs('disperse') : disperse;
  const allowed =
    typeof payer === 'string'
      ? await callIfPresent(client, { from: treasury, to: token }, allowance(treasury, payer), at)
      : undefined;
  return {
    nonce,
    nonceAtFinality,
    factory: lacksFactory ? madeAs('factory') : factory,
    disperse: payer,
    allowedMinor: allowed ?? 0n,
  };
}

/** Only the treasury can deploy at these addresses. So a contract there that responds like ours is ours. */
async function contractKindAt(client: EvmClient, treasury: Hex, address: Hex, at: bigint) {
  if ((await client.code(address, at)) === '0x') return undefined;
  const way = { from: treasury, to: address };
  const [sweepsTo, codeHash, owner] = await Promise.all([
    callIfPresent(client, way, factoryTreasury, at),
    callIfPresent(client, way, factoryCodeHash, at),
    callIfPresent(client, way, disperseOwner, at),
  ]);
  if (sweepsTo === treasury && codeHash === FORWARDER_CODE_HASH) return 'factory';
  return owner === treasury ? 'disperse' : undefined;
}

/** Undefined if the contract at this address does not have the function. A refusal of the server proves nothing. */
async function callIfPresent<Answer>(
  client: EvmClient,
  way: { readonly from: Hex; readonly to: Hex },
  { data, read }: ContractQuestion<Answer>,
  at: bigint,
): Promise<Answer | undefined> {
  try {
    const answer = await client.call({ ...way, data }, at);
    return answer === '0x' ? undefined : read(answer);
  } catch (error) {
    if (error instanceof ProviderFailure && error.reverted) return undefined;
    throw error;
  }
}

export function contractAddressAt({ treasury }: EvmContext, nonce: number): Hex {
  return lowerHex(getContractAddress({ from: treasury, nonce: BigInt(nonce) }));
}
