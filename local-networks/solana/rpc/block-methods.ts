// The calls about the chain itself: slots, heights, blockhashes, fees and the node.
import { RpcError } from '../../rpc-error.ts';
import { BLOCKHASH_LIFE_BLOCKS } from '../blocks.ts';
import { feeOf } from '../fees.ts';
import { readMessage } from '../wire-transaction.ts';
import {
  API_VERSION,
  blockOfCall,
  decodeBytes,
  type RpcMethod,
  readConfigAt,
  readHistoryCommitment,
  readInteger,
  readTextAt,
  withContext,
} from './params.ts';
import { BLOCK_NOT_AVAILABLE, invalidParams, SLOT_SKIPPED } from './rpc-error.ts';

const SLOTS_IN_EPOCH = 432_000;
const FEE_SAMPLE_SLOTS = 150;

export const blockMethods: Readonly<Record<string, RpcMethod>> = {
  getSlot: (call) => blockOfCall(call, readConfigAt(call, 0)).slot,

  getBlockHeight: (call) => blockOfCall(call, readConfigAt(call, 0)).height,

  getLatestBlockhash(call) {
    const bank = blockOfCall(call, readConfigAt(call, 0));
    const lastValidBlockHeight = bank.height + BLOCKHASH_LIFE_BLOCKS;
    return withContext(bank, { blockhash: bank.hash, lastValidBlockHeight });
  },

  isBlockhashValid(call) {
    const bank = blockOfCall(call, readConfigAt(call, 1));
    return withContext(bank, call.view.chain.blocks.isUsable(readTextAt(call, 0), bank));
  },

  getFeeForMessage(call) {
    const bank = blockOfCall(call, readConfigAt(call, 1));
    const message = readMessage(decodeBytes(readTextAt(call, 0), 'base64'));
    const usable = call.view.chain.blocks.isUsable(message.blockhash, bank);
    return withContext(bank, usable ? feeOf(message) : null);
  },

  getRecentPrioritizationFees(call) {
    const newest = call.view.block('processed').slot;
    return Array.from({ length: FEE_SAMPLE_SLOTS }, (_, index) => ({
      prioritizationFee: 0,
      slot: newest - FEE_SAMPLE_SLOTS + 1 + index,
    }));
  },

  getEpochInfo(call) {
    const bank = blockOfCall(call, readConfigAt(call, 0));
    return {
      absoluteSlot: bank.slot,
      blockHeight: bank.height,
      epoch: Math.floor(bank.slot / SLOTS_IN_EPOCH),
      slotIndex: bank.slot % SLOTS_IN_EPOCH,
      slotsInEpoch: SLOTS_IN_EPOCH,
      transactionCount: call.view.chain.landed.count,
    };
  },

  getBlocksWithLimit(call) {
    const newest = blockOfCall(call, {}, readHistoryCommitment(readConfigAt(call, 2)));
    const [start, limit] = [0, 1].map((index) => readInteger(call.params[index], 'a slot or limit'));
    const blocks = call.view.chain.blocks.from(start!, limit!);
    return blocks.filter(({ slot }) => slot <= newest.slot).map(({ slot }) => slot);
  },

  /** Returns at most the signatures, because the service needs nothing else of a block. */
  getBlock(call) {
    const config = readConfigAt(call, 1);
    const newest = blockOfCall(call, {}, readHistoryCommitment(config));
    const slot = readInteger(call.params[0], 'the slot');
    if (slot > newest.slot) throw new RpcError(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`);
    const { blocks, landed } = call.view.chain;
    const block = blocks.at(slot);
    if (block.slot !== slot)
      throw new RpcError(
        SLOT_SKIPPED,
        `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
      );
    const details = config.transactionDetails;
    if (details !== 'signatures' && details !== 'none')
      throw invalidParams('only the signatures of a block are kept here');
    const parent = blocks.at(slot - 1);
    return {
      blockHeight: block.height,
      blockTime: block.timeSeconds,
      blockhash: block.hash,
      parentSlot: parent.slot,
      previousBlockhash: parent.hash,
      ...(details === 'signatures' && {
        signatures: [...landed.in(block).map(({ transaction }) => transaction.signature), block.vote],
      }),
    };
  },

  getFirstAvailableBlock: (call) => call.view.chain.blocks.at(0).slot,
  getGenesisHash: (call) => call.view.chain.blocks.genesisHash,
  getHealth: () => 'ok',
  getVersion: () => ({ 'feature-set': 0, 'solana-core': API_VERSION }),
};
