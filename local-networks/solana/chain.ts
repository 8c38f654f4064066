// The chain itself: slots, the queue of submitted transactions, the transactions that land, and those that a fork removes
// again. It applies the rules of the network around the virtual machine. A blockhash is valid for 150 blocks, and one message
// lands only once.
import type { Address } from '@solana/kit';
import { AccountVersions, type LocalAccountState } from './account-versions.ts';
import { type LocalBlock, LocalBlocks } from './blocks.ts';
import { feeOf } from './fees.ts';
import { LandedTransactions, type LocalLandedTransaction } from './landed-transactions.ts';
import type { TransactionError } from './transaction-errors.ts';
import { type SimulationOutcome, Vm } from './vm.ts';
import { isWritable, type WireTransaction } from './wire-transaction.ts';

export interface CoreChainOptions {
  readonly confirmedAfterSlots: number;
  readonly finalizedAfterSlots: number;
}

export interface TransactionSimulationOptions {
  /** The block at which the simulation runs: it defines the state and the valid blockhashes. */
  readonly on: LocalBlock;
  readonly verifySignatures: boolean;
  readonly anyBlockhash?: boolean;
}

/** A new chain has some history, so that a finalized block exists and a provider can lag. */
const BLOCKS_AT_BIRTH = 200;

export class CoreChain {
  readonly options: CoreChainOptions;
  readonly blocks = new LocalBlocks();
  readonly landed = new LandedTransactions();
  readonly accounts: AccountVersions;
  private readonly vm = new Vm();
  private queue: WireTransaction[] = [];
  private readonly forkAfterSlots = new Map<string, number>();
  private aheadMs = 0;

  constructor(options: CoreChainOptions) {
    this.options = options;
    this.accounts = new AccountVersions((address) => this.vm.read(address));
    for (let made = 0; made < BLOCKS_AT_BIRTH; made += 1) this.blocks.append(this.nowSeconds());
  }

  get slot(): number {
    return this.blocks.nextSlot - 1;
  }

  get height(): number {
    return this.blocks.tip.height;
  }

  /**
   * Lets slots pass. Each slot creates a block from the queued transactions. If its leader missed the slot, the transactions
   * wait in the queue.
   */
  advance(slots = 1, { skipped = false }: { readonly skipped?: boolean } = {}): void {
    for (let passed = 0; passed < slots; passed += 1) {
      if (skipped) this.blocks.skipSlot();
      else this.produceBlock();
    }
  }

  /** Queues a transaction for the next block. That block checks whether the transaction may land, as a real leader does. */
  submit(transaction: WireTransaction): void {
    this.queue.push(transaction);
  }

  /**
   * Decides what happens to a transaction that will be sent. It lands, and this many slots later another fork wins, in which it
   * never landed. If the client sends it again, it may land again.
   */
  forkAway(signature: string, afterSlots: number): void {
    if (afterSlots < 1 || afterSlots >= this.options.finalizedAfterSlots) {
      throw new RangeError(`a fork after ${afterSlots} slots: must be before finality`);
    }
    this.forkAfterSlots.set(signature, afterSlots);
  }

  /**
   * Another fork wins from `slots` slots ago. It undoes everything that landed since, accounts included, and its blocks have
   * other hashes. Forgotten transactions are dropped. All other undone transactions wait for the next block, where a
   * transaction with the hash of a lost block fails. Returns the forgotten transactions.
   */
  reorganise(slots: number, forget: (signature: string) => boolean = () => true): string[] {
    if (slots > this.options.finalizedAfterSlots) throw new RangeError('finalized blocks do not go away');
    const lastCommonSlot = this.blocks.tip.slot - slots;
    const undone = this.landed.rewind(lastCommonSlot).map((landed) => landed.transaction);
    for (const [address, state] of this.accounts.rewind(lastCommonSlot)) this.vm.write(address, state);
    this.blocks.replaceAfter(lastCommonSlot);
    this.queue.unshift(...undone.filter(({ signature }) => !forget(signature)));
    return undone.map(({ signature }) => signature).filter(forget);
  }

  simulate(transaction: WireTransaction, options: TransactionSimulationOptions): SimulationOutcome {
    const { on, verifySignatures, anyBlockhash = false } = options;
    if (!anyBlockhash && !this.blocks.isUsable(transaction.message.blockhash, on)) {
      return simulationNotRun('BlockhashNotFound');
    }
    const known = this.landed.withMessage(transaction.messageHash);
    if (known !== undefined && known.block.slot <= on.slot) return simulationNotRun('AlreadyProcessed');
    return this.withStateOf(transaction.message.keys, on.slot, () =>
      this.vm.simulate(transaction.bytes, verifySignatures),
    );
  }

  /** Changes an account outside of any transaction, as if its state had been so since the beginning. */
  rewriteAccount(address: Address, change: (state: LocalAccountState | null) => LocalAccountState): void {
    this.vm.write(address, this.accounts.rewrite(address, change));
  }

  rentExemption(dataBytes: number): bigint {
    return this.vm.rentExemption(dataBytes);
  }

  /** From now on, the times of blocks are this much later. */
  passTime(ms: number): void {
    this.aheadMs += ms;
  }

  get nowMs(): number {
    return Date.now() + this.aheadMs;
  }

  private nowSeconds(): number {
    return Math.floor(this.nowMs / 1000);
  }

  private produceBlock(): void {
    const newest = this.blocks.tip;
    const block = this.blocks.append(this.nowSeconds());
    this.vm.setTime(block.slot, block.timeSeconds);
    const queued = this.queue;
    this.queue = [];
    for (const transaction of queued) {
      if (!this.blocks.isUsable(transaction.message.blockhash, newest)) continue;
      if (this.landed.withMessage(transaction.messageHash) !== undefined) continue;
      const landed = this.run(transaction, block);
      if (landed !== null) this.landed.add(landed);
    }
    this.forkWhatIsDue();
  }

  private run(transaction: WireTransaction, block: LocalBlock): LocalLandedTransaction | null {
    const { message } = transaction;
    const before = message.keys.map((key) => this.accounts.newest(key));
    const outcome = this.vm.send(transaction.bytes);
    const after = message.keys.map((key, index) =>
      isWritable(message, index) ? this.vm.read(key) : before[index]!,
    );
    // The block contains only transactions that paid their fee. A bad signature or an empty fee payer leaves no record on a
    // chain.
    if (outcome.error !== null && after[0]?.lamports === before[0]?.lamports) return null;
    message.keys.forEach((key, index) => {
      if (isWritable(message, index)) this.accounts.put(key, block.slot, before[index]!, after[index]!);
    });
    const position = this.landed.count;
    return { transaction, block, position, outcome, feeLamports: feeOf(message), before, after };
  }

  private forkWhatIsDue(): void {
    for (const [signature, afterSlots] of this.forkAfterSlots) {
      const landed = this.landed.find(signature);
      if (landed === undefined || this.slot - landed.block.slot < afterSlots) continue;
      this.forkAfterSlots.delete(signature);
      const slots = this.slot - landed.block.slot + 1;
      // After several skipped slots, the transaction may be finalized before the reorganisation is due. Then the transaction
      // stays.
      if (slots <= this.options.finalizedAfterSlots) this.reorganise(slots, (undone) => undone === signature);
    }
  }

  /** Runs the function with the accounts of an older slot in the virtual machine, and then restores the newest accounts. */
  private withStateOf<T>(keys: readonly Address[], slot: number, run: () => T): T {
    const changed = keys.filter((key) => this.accounts.changedSince(key, slot));
    for (const key of changed) this.vm.write(key, this.accounts.at(key, slot));
    try {
      return run();
    } finally {
      for (const key of changed) this.vm.write(key, this.accounts.newest(key));
    }
  }
}

function simulationNotRun(error: TransactionError): SimulationOutcome {
  return { error, logs: [], unitsConsumed: 0n, innerInstructions: [], returnData: null, accounts: new Map() };
}
