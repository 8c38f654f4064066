// Plays the clients of a seed: businesses with an unreliable connection, which repeat a request until they get a response, and
// their customers, who pay as their errand specifies.
import type { Caller } from '../../../src/app/input/caller.ts';
import type { AcceptedTransaction } from '../../../src/app/intake/accept-transaction.ts';
import { cancelTransaction } from '../../../src/app/intake/change-transaction.ts';
import { setWallet } from '../../../src/app/intake/set-wallet.ts';
import { submitBuy } from '../../../src/app/intake/submit-buy.ts';
import { submitSell } from '../../../src/app/intake/submit-sell.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { Refusal } from '../../../src/domain/values/refusals.ts';
import type { Result } from '../../../src/domain/values/result.ts';
import { expected } from '../world/faults.ts';
import type { Machine } from '../world/gate.ts';
import type { Setting } from '../world/setting.ts';
import { BANK, type Errand } from './errands.ts';
import { paySell } from './pay-sells.ts';
import { payBuy } from './payments.ts';

export interface Clients {
  /** Maps a reference to the transaction of each acceptance whose response a business received. */
  readonly accepted: ReadonlyMap<string, string>;
  readonly refused: ReadonlyMap<string, string>;
}

const PATIENCE_MS = 10_000;
const RETRY_MS = [200, 3_000] as const;

type Ask = (machine: Machine) => Promise<Result<AcceptedTransaction, Refusal>>;

type AskMachines = (
  name: string,
  request: Ask,
  answered: (result: Result<AcceptedTransaction, Refusal>) => void,
) => void;

export interface CarriedQuote {
  readonly id: string;
  readonly refused: (code: string) => void;
}

export interface Desk {
  readonly clients: Clients;
  /**
   * The business submits the errand now. The customer of a buy pays without waiting for the response. With a quote, the
   * customer pays after the acceptance.
   */
  begin(errand: Errand, quote?: CarriedQuote): void;
}

export function startClients(
  setting: Setting,
  machines: readonly Machine[],
  errands: readonly Errand[],
): Clients {
  const { agenda } = setting;
  const { clients, begin } = openDesk(setting, machines);
  for (const errand of errands) agenda.at(agenda.now() + errand.startMs, () => begin(errand));
  return clients;
}

export function openDesk(setting: Setting, machines: readonly Machine[]): Desk {
  const { tale } = setting;
  const accepted = new Map<string, string>();
  const refused = new Map<string, string>();
  const ask: AskMachines = (name, request, answered) =>
    askUntilAnswered(setting, machines, { name, request, answered });
  const begin: Desk['begin'] = (errand, quote) => {
    const { reference } = errand;
    const caller = (): Caller => ({ key: setting.keys[errand.business]!, catalogue: setting.catalogue() });
    if (errand.type === 'buy' && quote === undefined) payBuy(setting, errand);
    ask(
      reference,
      (machine) => submitOn(machine, errand, caller(), quote?.id),
      (result) => {
        if (!result.ok) {
          refused.set(reference, result.error.code);
          tale.line('client', `${reference} is refused: ${result.error.code}`);
          quote?.refused(result.error.code);
          return;
        }
        accepted.set(reference, result.value.transaction.id);
        if (errand.type === 'buy' && quote !== undefined) payBuy(setting, errand);
        goOn(setting, errand, result.value.transaction, ask, caller);
      },
    );
  };
  return { clients: { accepted, refused }, begin };
}

export interface Asked<Process, Answer> {
  readonly name: string;
  readonly request: (process: Process) => Promise<Result<Answer, Refusal>>;
  readonly answered: (result: Result<Answer, Refusal>) => void;
}

export function askUntilAnswered<Process extends { readonly up: boolean }, Answer>(
  setting: Setting,
  machines: readonly Process[],
  asked: Asked<Process, Answer>,
): void {
  const { agenda, dice, faults, tale } = setting;
  const { name, request, answered } = asked;
  let done = false;
  const again = () => {
    agenda.at(agenda.now() + dice.between(...RETRY_MS), send);
  };
  const once = (machine: Process) => {
    let heard = false;
    const hear = (then: () => void) => {
      if (heard) return;
      heard = true;
      then();
    };
    request(machine).then(
      (result) =>
        hear(() => {
          if (done) return;
          // The API key was replaced in the meantime, so the business uses the new key.
          if (!result.ok && result.error.code === 'unauthorized') return again();
          done = true;
          answered(result);
        }),
      (error: Error) => {
        if (!expected(error)) setting.broken('no use-case fails by itself', `${name}: ${error.stack}`, null);
        hear(() => !done && again());
      },
    );
    // A client does not wait forever. Without a response it repeats its request.
    agenda.at(agenda.now() + PATIENCE_MS, () => hear(() => !done && again()));
  };
  const send = () => {
    if (done) return;
    const fault = faults.place(name)(['request_lost', 'request_doubled']);
    const up = machines.filter((machine) => machine.up);
    if (fault !== undefined) tale.line('client', `${name}  ~~ ${fault} ~~`);
    if (fault === 'request_lost' || up.length === 0) return again();
    once(dice.pick(up));
    if (fault === 'request_doubled') once(dice.pick(up));
  };
  send();
}

function goOn(
  setting: Setting,
  errand: Errand,
  transaction: Transaction,
  ask: AskMachines,
  caller: () => Caller,
): void {
  const { agenda, tale } = setting;
  const { id } = transaction;
  tale.line('client', `${errand.reference} is ${id}`);
  if (errand.type === 'sell') paySell(setting, errand, transaction);
  if (errand.wallet === null && errand.walletAfterMs !== null) {
    const wallet = { network: errand.network, wallet_address: errand.laterWallet };
    const give: Ask = (machine) =>
      setWallet(machine.submission(), { caller: caller(), transactionId: id, body: wallet });
    agenda.at(agenda.now() + errand.walletAfterMs, () => ask(`wallet of ${id}`, give, () => undefined));
  }
  if (errand.cancelAfterMs !== null) {
    const cancel: Ask = (machine) =>
      cancelTransaction(machine.submission(), {
        caller: caller(),
        transactionId: id,
        idempotencyKey: null,
      });
    agenda.at(agenda.now() + errand.cancelAfterMs, () => ask(`cancel ${id}`, cancel, () => undefined));
  }
}

export function submitOn(
  machine: Machine,
  errand: Errand,
  caller: Caller,
  quoteId?: string,
): Promise<Result<AcceptedTransaction, Refusal>> {
  const { business } = caller.key;
  const vendor = caller.catalogue.vendors.test[errand.vendor]!;
  const common = {
    business_id: business.id,
    link_tag: business.linkTag,
    bank_name: BANK,
    account_number: errand.accountNumber,
    account_name: errand.accountName,
    reference: errand.reference,
    ...(quoteId !== undefined && { quote_id: quoteId }),
    ...(errand.wallet !== null && { network: errand.network, wallet_address: errand.wallet }),
  };
  const submission = {
    caller,
    amountText: nairaText(errand.amountMinor),
    idempotencyKey: errand.idempotencyKey,
    scenario: errand.scenario,
  };
  if (errand.type === 'sell')
    return submitSell(machine.submission(), { ...submission, body: { ...common, type: 'sell_ramp' } });
  const paid = { vendor_name: vendor.name, vendor_bank: vendor.bank, vendor_number: vendor.number };
  return submitBuy(machine.submission(), { ...submission, body: { ...common, ...paid, type: 'buy_ramp' } });
}

export function nairaText(minor: bigint): string {
  return `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
}
