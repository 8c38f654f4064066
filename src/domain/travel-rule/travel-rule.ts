// Makes Travel Rule records: who sent tokens to whom, for every network transfer whose value reaches the threshold. These
// transfers are the send of a buy and the deposits of a sell. The values of all deposits of one sell are added up, so that a
// split into small deposits does not stay below the threshold.
import type { BankCredit } from '../records/credit.ts';
import type { Deposit } from '../records/deposit.ts';
import type { Movement, WalletDestination } from '../records/movement.ts';
import type { Transaction } from '../records/transaction.ts';
import type { Mode } from '../values/mode.ts';
import { tokenToKobo } from '../values/money.ts';

/** The known data of one party of a transfer. Unknown fields are null. */
export interface TravelRuleParty {
  readonly name: string | null;
  readonly bankName: string | null;
  readonly accountNumber: string | null;
  readonly wallet: string | null;
  /** Our business on its side of the transfer; null for the party on the network. */
  readonly business: { readonly id: string; readonly name: string } | null;
}

export interface TravelRuleParties {
  readonly originator: TravelRuleParty;
  readonly beneficiary: TravelRuleParty;
}

export interface TravelRuleRecord extends TravelRuleParties {
  /** The id of the send, or of the deposit. */
  readonly leg: string;
  readonly kind: 'send' | 'deposit';
  readonly mode: Mode;
  readonly businessId: string;
  readonly transactionId: string;
  readonly network: string;
  readonly txHash: string;
  readonly asset: string;
  /** The amount in the token's own minor units. */
  readonly amountMinor: bigint;
  readonly nairaMinor: bigint;
  readonly atMs: number;
}

export interface LegFacts {
  readonly transaction: Transaction;
  readonly businessName: string;
  readonly movements: readonly Movement[];
  readonly deposits: readonly Deposit[];
  /** The credits that paid for a buy, as the bank reported them. */
  readonly credits: readonly BankCredit[];
}

/** Returns the records of a transaction's finished transfers. The list is empty if their value is below the threshold. */
export function travelRuleRecords(facts: LegFacts, minimumMinor: bigint): readonly TravelRuleRecord[] {
  const legs = facts.transaction.type === 'buy' ? makeSendRecords(facts) : makeDepositRecords(facts);
  const totalMinor = legs.reduce((sum, { nairaMinor }) => sum + nairaMinor, 0n);
  return totalMinor >= minimumMinor ? legs : [];
}

function makeSendRecords({
  transaction,
  businessName,
  movements,
  credits,
}: LegFacts): readonly TravelRuleRecord[] {
  const { id, businessId, txHash, accountName, accountNumber, bankName } = transaction;
  const payer = credits.find(({ payerName }) => payerName !== null);
  const customer = payer?.payerName ?? accountName;
  return movements.flatMap((movement) => {
    const { kind, state, network, destination, mode, asset, amountMinor, nairaMinor } = movement;
    if (kind !== 'send' || state !== 'done' || network === null || txHash === null) return [];
    const wallet = (destination as WalletDestination).address;
    const business = { id: businessId, name: businessName };
    return [
      {
        ...{ leg: movement.id, kind, mode, businessId, transactionId: id, network, txHash, asset },
        ...{ amountMinor, nairaMinor, atMs: movement.updatedAtMs },
        originator: { name: customer, bankName, accountNumber, wallet: null, business },
        // The customer who paid named this wallet, so the customer counts as its owner. No other owner is known.
        beneficiary: {
          name: accountName ?? customer,
          bankName: null,
          accountNumber: null,
          wallet,
          business: null,
        },
      },
    ];
  });
}

function makeDepositRecords({
  transaction,
  businessName,
  deposits: all,
}: LegFacts): readonly TravelRuleRecord[] {
  const { id, businessId, accountName, accountNumber, bankName } = transaction;
  const decimals = new Map(transaction.deposits.map((each) => [each.network, each.decimals]));
  return all.flatMap((deposit) => {
    const { state, mode, network, txHash, asset, amountMinor, sender } = deposit;
    const places = decimals.get(network);
    if (state !== 'applied' || places === undefined) return [];
    const business = { id: businessId, name: businessName };
    return [
      {
        ...{
          leg: deposit.id,
          kind: 'deposit' as const,
          mode,
          businessId,
          transactionId: id,
          network,
          txHash,
          asset,
        },
        ...{ amountMinor, nairaMinor: tokenToKobo(amountMinor, places).kobo, atMs: deposit.seenAtMs },
        originator: { name: businessName, bankName: null, accountNumber: null, wallet: sender, business },
        beneficiary: { name: accountName, bankName, accountNumber, wallet: null, business: null },
      },
    ];
  });
}
