// Starts a local network of the Ethereum kind. It deploys the token, the contract that pays and the deposit addresses. It gives
// the treasury tokens and coins and approves its tokens.
import { getAddress, type Hex, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { startEvmChain } from './evm/start.ts';
import { evmTroubles } from './evm/troubles.ts';
import {
  CUSTOMER_TOKENS,
  type LocalNetwork,
  type LocalNetworkOptions,
  sendOncePerId,
  TREASURY_TOKENS,
} from './local-network.ts';

export interface LocalEvmOptions extends LocalNetworkOptions {
  readonly chainId: number;
  readonly finalityBlocks: number;
}

const COIN = 10n ** 18n;
const TREASURY_COINS = 100_000n;

export async function startEvm(options: LocalEvmOptions): Promise<LocalNetwork> {
  const { name, decimals, treasuryKey, ports, paceMs, chainId, finalityBlocks } = options;
  const running = await startEvmChain({ chainId, finalityBlocks, blockEveryMs: paceMs, ports });
  const { chain, urls } = running;
  const key: Hex = toHex(treasuryKey);
  const treasury = { key, address: privateKeyToAccount(key).address };
  const [bank, customer] = [chain.accounts[0]!, chain.accounts[1]!];
  const unit = 10n ** BigInt(decimals);
  await chain.transact(bank, { to: treasury.address, value: TREASURY_COINS * COIN });
  const token = await chain.deployToken({ decimals });
  const disperse = await chain.deployDisperse(treasury.address);
  const forwarderFactory = await chain.deployFactory(treasury.address);
  await chain.mint(token, treasury.address, TREASURY_TOKENS * unit);
  await chain.mint(token, customer.address, CUSTOMER_TOKENS * unit);
  await chain.approve(token, treasury, disperse);
  // The observer starts after the opening balance of the treasury, because it would treat that balance as an unmatched deposit.
  const firstBlock = chain.head() + 1;
  await chain.mine(finalityBlocks + 1);
  return {
    name,
    family: 'evm',
    decimals,
    urls,
    chain: `chain id ${chainId}`,
    token,
    treasury: treasury.address,
    settings: {
      chain_id: chainId,
      kind: 'local',
      disperse,
      forwarder_factory: forwarderFactory,
      first_block: firstBlock,
      stuck_after_ms: 30_000,
      max_fee_per_gas_gwei: '500',
      confirmations: finalityBlocks,
      final_after_ms: (finalityBlocks + 1) * paceMs,
    },
    wallet: async () => privateKeyToAccount(generatePrivateKey()).address,
    received: (wallet) => chain.balanceOf(token, getAddress(wallet)),
    deposit: sendOncePerId(async ({ address, amountMinor }) => {
      const receipt = await chain.transfer(token, customer, getAddress(address), amountMinor);
      return receipt.transactionHash;
    }),
    troubles: evmTroubles(running, { firstBlock, finalityBlocks, paceMs }),
    close: running.close,
  };
}
