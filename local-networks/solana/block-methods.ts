// The calls about the chain itself: slots, heights, blockhashes, fees and the node.
import { BLOCKHASH_LIFE_BLOCKS } from './blocks.ts';
import { feeOf } from './fees.ts';
import { API_VERSION, bankOf, configAt, encodedBytes, inContext, type Method, textAt } from './params.ts';
import { readMessage } from './wire-transaction.ts';

const SLOTS_IN_EPOCH = 432_000;
const FEE_SAMPLE_SLOTS = 150;

export const blockMethods: Readonly<Record<string, Method>> = {
  getSlot: (call) => bankOf(call, configAt(call, 0)).slot,

  getBlockHeight: (call) => bankOf(call, configAt(call, 0)).height,

  getLatestBlockhash(call) {
    const bank = bankOf(call, configAt(call, 0));
    const lastValidBlockHeight = bank.height + BLOCKHASH_LIFE_BLOCKS;
    return inContext(bank, { blockhash: bank.hash, lastValidBlockHeight });
  },

  isBlockhashValid(call) {
    const bank = bankOf(call, configAt(call, 1));
    return inContext(bank, call.view.chain.blocks.isUsable(textAt(call, 0), bank));
  },

  getFeeForMessage(call) {
    const bank = bankOf(call, configAt(call, 1));
    const message = readMessage(encodedBytes(textAt(call, 0), 'base64'));
    const usable = call.view.chain.blocks.isUsable(message.blockhash, bank);
    return inContext(bank, usable ? feeOf(message) : null);
  },

  getRecentPrioritizationFees(call) {
    const newest = call.view.block('processed').slot;
    return Array.from({ length: FEE_SAMPLE_SLOTS }, (_, index) => ({
      prioritizationFee: 0,
      slot: newest - FEE_SAMPLE_SLOTS + 1 + index,
    }));
  },

  getEpochInfo(call) {
    const bank = bankOf(call, configAt(call, 0));
    return {
      absoluteSlot: bank.slot,
      blockHeight: bank.height,
      epoch: Math.floor(bank.slot / SLOTS_IN_EPOCH),
      slotIndex: bank.slot % SLOTS_IN_EPOCH,
      slotsInEpoch: SLOTS_IN_EPOCH,
      transactionCount: call.view.chain.landed.count,
    };
  },

  getFirstAvailableBlock: (call) => call.view.chain.blocks.at(0).slot,
  getGenesisHash: (call) => call.view.chain.blocks.genesisHash,
  getHealth: () => 'ok',
  getVersion: () => ({ 'feature-set': 0, 'solana-core': API_VERSION }),
};
