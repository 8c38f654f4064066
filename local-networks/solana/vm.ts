// Runs litesvm without its checks of blockhashes and of repeated transactions. litesvm would accept only its own newest
// blockhash, so the chain applies both rules itself. litesvm does verify the signatures.
import type { Address } from '@solana/kit';
import {
  Account,
  FailedTransactionMetadata,
  LiteSvm,
  type SimulatedTransactionInfo,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js';
import type { LocalAccountState } from './account-versions.ts';
import { addressAt, addressBytes } from './base58.ts';
import { errorOf, type TransactionError } from './transaction-errors.ts';

const RENT_EXEMPT_EPOCH = 18_446_744_073_709_551_615n;
const NOTHING: LocalAccountState = {
  lamports: 0n,
  data: new Uint8Array(),
  owner: '11111111111111111111111111111111' as Address,
  executable: false,
};

export interface InnerInstructions {
  readonly index: number;
  readonly instructions: readonly {
    readonly programIndex: number;
    readonly accounts: readonly number[];
    readonly data: Uint8Array;
    readonly stackHeight: number;
  }[];
}

export interface ExecutionOutcome {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  readonly innerInstructions: readonly InnerInstructions[];
  readonly returnData: { readonly program: Address; readonly data: Uint8Array } | null;
}

export interface SimulationOutcome extends ExecutionOutcome {
  /** The resulting accounts, with null for a closed account. The map is empty if the transaction failed. */
  readonly accounts: ReadonlyMap<Address, LocalAccountState | null>;
}

export class Vm {
  private readonly svm = new LiteSvm();

  constructor() {
    this.svm.setBlockhashCheck(false);
    this.svm.setTransactionHistory(0n);
    this.svm.setSigverify(true);
  }

  send(bytes: Uint8Array): ExecutionOutcome {
    return outcomeOf(this.svm.sendVersionedTransaction(bytes));
  }

  simulate(bytes: Uint8Array, verifySignatures: boolean): SimulationOutcome {
    this.svm.setSigverify(verifySignatures);
    try {
      const result = this.svm.simulateVersionedTransaction(bytes);
      const accounts = new Map<Address, LocalAccountState | null>();
      if (!(result instanceof FailedTransactionMetadata)) {
        for (const entry of result.postAccounts()) {
          accounts.set(addressAt(entry.address, 0), stateOf(entry.account()));
        }
      }
      return { ...outcomeOf(result), accounts };
    } finally {
      this.svm.setSigverify(true);
    }
  }

  read(address: Address): LocalAccountState | null {
    return stateOf(this.svm.getAccount(addressBytes(address)));
  }

  /** Null removes the account. */
  write(address: Address, state: LocalAccountState | null): void {
    const { lamports, data, owner, executable } = state ?? NOTHING;
    const account = new Account(lamports, data, addressBytes(owner), executable, RENT_EXEMPT_EPOCH);
    this.svm.setAccount(addressBytes(address), account);
  }

  setTime(slot: number, seconds: number): void {
    const clock = this.svm.getClock();
    clock.slot = BigInt(slot);
    clock.unixTimestamp = BigInt(seconds);
    this.svm.setClock(clock);
  }

  rentExemption(dataBytes: number): bigint {
    return this.svm.minimumBalanceForRentExemption(BigInt(dataBytes));
  }
}

function stateOf(account: Account | null): LocalAccountState | null {
  if (account === null || account.lamports() === 0n) return null;
  return {
    lamports: account.lamports(),
    data: account.data(),
    owner: addressAt(account.owner(), 0),
    executable: account.executable(),
  };
}

function outcomeOf(
  result: TransactionMetadata | FailedTransactionMetadata | SimulatedTransactionInfo,
): ExecutionOutcome {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = 'meta' in result ? result.meta() : result;
  const returned = meta.returnData();
  const returnedData = returned.data();
  return {
    error: failed ? errorOf(result) : null,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    innerInstructions: innerInstructionsOf(meta),
    returnData:
      returnedData.length === 0 ? null : { program: addressAt(returned.programId(), 0), data: returnedData },
  };
}

function innerInstructionsOf(meta: TransactionMetadata): InnerInstructions[] {
  return meta
    .innerInstructions()
    .map((list, index) => ({
      index,
      instructions: list.map((inner) => {
        const instruction = inner.instruction();
        return {
          programIndex: instruction.programIdIndex(),
          accounts: Array.from(instruction.accounts()),
          data: instruction.data(),
          stackHeight: inner.stackHeight(),
        };
      }),
    }))
    .filter(({ instructions }) => instructions.length > 0);
}
