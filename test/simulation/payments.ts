// How the customers of an errand pay: naira at the bank, tokens on a network, and what the outside world does to it
// afterwards. The service learns of it from its feeds and from nobody else.
import type { Transaction } from '../../src/domain/transaction.ts';
import type { SandboxCredit } from '../../src/ports/sandbox.ts';
import { BANK, type Errand } from './errands.ts';
import { returnPayouts, takeBack, tellAgain } from './notices.ts';
import { namesakeOf } from './places.ts';
import type { Setting } from './setting.ts';

/** Whoever pays in another name. */
export const OTHER_NAME = 'SOMEBODY ELSE';
const SOON_MS = 4_000;
const LATER_MS = 60_000;
const TOO_LATE_MS = 120_000;

/** The payment of a buy needs no answer from us: it may be there before anybody asks. */
export function payBuy(setting: Setting, errand: Errand): void {
  const { agenda, dice, company } = setting;
  const { reference, how, amountMinor } = errand;
  const soonMs = dice.below(SOON_MS);
  const pay = (
    afterMs: number,
    changes: Partial<SandboxCredit> = {},
    tellings = 1,
    id = `pay-${reference}`,
    from = errand.accountNumber,
  ) => agenda.at(agenda.now() + afterMs, () => payIn(setting, errand, id, from, changes, tellings));
  const reverse = (afterMs: number) =>
    agenda.at(agenda.now() + afterMs, () => takeBack(setting, `pay-${reference}`));
  switch (how) {
    case 'exact':
      pay(soonMs + dice.below(20_000));
      break;
    case 'early':
      pay(0);
      break;
    case 'late':
      pay(company.expiryMs + dice.below(TOO_LATE_MS));
      break;
    case 'short':
      pay(soonMs, { amountMinor: amountMinor - BigInt(dice.between(1, 100_000)) });
      break;
    case 'in_two_parts': {
      const first = amountMinor / 3n;
      pay(soonMs, { amountMinor: first });
      pay(soonMs + dice.below(20_000), { amountMinor: amountMinor - first }, 1, `rest-${reference}`);
      break;
    }
    case 'over':
      pay(soonMs, { amountMinor: amountMinor + BigInt(dice.between(1, 100_000)) });
      break;
    case 'paid_twice':
      pay(soonMs);
      pay(soonMs + dice.below(20_000), {}, 1, `again-${reference}`);
      break;
    case 'told_twice':
      pay(soonMs, {}, 3);
      break;
    case 'reversed_soon':
      pay(soonMs);
      reverse(soonMs + dice.below(1_500));
      break;
    case 'reversed_later':
      pay(soonMs);
      reverse(soonMs + dice.below(LATER_MS));
      break;
    case 'over_reversed':
      pay(soonMs, { amountMinor: amountMinor + BigInt(dice.between(1, 100_000)) });
      reverse(soonMs + dice.below(LATER_MS));
      break;
    case 'part_reversed': {
      const first = amountMinor / 3n;
      pay(soonMs, { amountMinor: first });
      pay(soonMs + dice.below(5_000), { amountMinor: amountMinor - first - 1n }, 1, `rest-${reference}`);
      reverse(soonMs + dice.between(5_000, 2 * LATER_MS));
      break;
    }
    case 'reversed_twice': {
      const backMs = soonMs + dice.below(LATER_MS);
      pay(soonMs);
      reverse(backMs);
      const isMeant = (about: string) => about === `pay-${reference}`;
      agenda.at(agenda.now() + backMs + 1, () => tellAgain(setting, 'credit_reversed', isMeant));
      break;
    }
    case 'masked_namesake': {
      const account = namesakeOf(errand.accountNumber);
      pay(soonMs, { payerAccount: `******${account.slice(-4)}` }, 1, undefined, account);
      break;
    }
    case 'other_name':
      pay(soonMs, { payerName: OTHER_NAME });
      break;
    case 'masked':
      pay(soonMs, { payerAccount: `******${errand.accountNumber.slice(-4)}` });
      break;
    case 'by_reference':
      pay(soonMs, { payerAccount: null, narration: `TRF/${reference}/NGN` });
      break;
    case 'other_account':
      pay(soonMs, { accountNumber: company.vendors[(errand.vendor + 1) % 3]!.number });
      break;
    default:
      // Nobody pays, or a story does.
      break;
  }
}

function payIn(
  { company, outside, tale }: Setting,
  errand: Errand,
  id: string,
  from: string,
  changes: Partial<SandboxCredit>,
  tellings: number,
): void {
  const credit: SandboxCredit = {
    accountNumber: company.vendors[errand.vendor]!.number,
    accountBankCode: null,
    amountMinor: errand.amountMinor,
    payerAccount: from,
    payerBankName: BANK,
    payerName: errand.accountName.toUpperCase(),
    narration: null,
    sessionId: null,
    ...changes,
  };
  tale.line('bank', `${id} of ${credit.amountMinor} for ${errand.reference}, told ${tellings}×`);
  outside.payers.set(id, from);
  outside.bank.payIn(id, credit, tellings);
}

/** Tokens can only be sent where the answer says. */
export function paySell(setting: Setting, errand: Errand, { id, deposits, expiresAtMs }: Transaction): void {
  const { agenda, dice } = setting;
  const { how, reference } = errand;
  const instruction = deposits.find(({ network }) => network === errand.network) ?? deposits[0]!;
  const { expectedToken } = instruction;
  const soonMs = dice.below(SOON_MS);
  const send = (afterMs: number, amountMinor: bigint, name: string, ourToken = true) =>
    agenda.at(agenda.now() + afterMs, () => {
      const { network: networkName, address, memo } = instruction;
      const network = setting.outside.networks.find((each) => each.name === networkName)!;
      setting.tale.line(
        'network',
        `${name}-${reference} of ${amountMinor} arrives on ${networkName} for ${id}`,
      );
      network.arrive(`${name}-${reference}`, { address, memo, amountMinor, ourToken });
    });
  switch (how) {
    case 'exact':
      send(soonMs, expectedToken, 'send');
      break;
    case 'split': {
      const first = (expectedToken * BigInt(dice.between(1, 9))) / 10n;
      send(soonMs, first, 'send');
      send(soonMs + dice.below(8_000), expectedToken - first, 'rest');
      break;
    }
    case 'late':
      send(expiresAtMs - agenda.now() + dice.below(TOO_LATE_MS), expectedToken, 'send');
      break;
    case 'short':
      send(soonMs, (expectedToken * 9n) / 10n, 'send');
      break;
    case 'over':
      send(soonMs, (expectedToken * 11n) / 10n, 'send');
      break;
    case 'paid_twice':
      send(soonMs, expectedToken, 'send');
      send(soonMs + dice.below(20_000), expectedToken, 'again');
      break;
    case 'told_twice':
      send(soonMs, expectedToken, 'send');
      send(soonMs + dice.below(20_000), expectedToken, 'send');
      break;
    case 'wrong_token':
      send(soonMs, expectedToken, 'send', false);
      break;
    case 'dust':
      send(soonMs, expectedToken / 2n + 3n, 'send');
      send(soonMs + 500, expectedToken - expectedToken / 2n + 7n, 'rest');
      break;
    case 'returned':
      send(soonMs, expectedToken, 'send');
      agenda.at(agenda.now() + dice.between(20_000, LATER_MS), () => returnPayouts(setting, id));
      break;
    case 'returned_twice': {
      const atMs = agenda.now() + dice.between(20_000, LATER_MS);
      send(soonMs, dice.percent(70) ? expectedToken : (expectedToken * 11n) / 10n, 'send');
      agenda.at(atMs, () => returnPayouts(setting, id));
      agenda.at(atMs + 1, () => tellAgain(setting, 'payout_returned', isOf(setting, id)));
      break;
    }
    default:
      break;
  }
}

/** Money and tokens that nobody asked for. */
export function sendStrays(setting: Setting, spanMs: number): void {
  const { agenda, dice, company, outside, tale } = setting;
  for (let no = dice.below(4); no > 0; no--) {
    const amountMinor = BigInt(dice.between(100, 9_000_000));
    const credit: SandboxCredit = {
      accountNumber: dice.pick(company.vendors).number,
      accountBankCode: null,
      amountMinor,
      payerAccount: dice.percent(50) ? '0999999999' : null,
      payerBankName: dice.percent(80) ? BANK : null,
      payerName: dice.percent(80) ? 'A STRANGER' : null,
      narration: null,
      sessionId: null,
    };
    const network = dice.pick(outside.networks);
    const { address, memo } = network.depositTarget(`nobody ${no}`);
    const byBank = dice.percent(50);
    agenda.at(agenda.now() + dice.below(spanMs), () => {
      tale.line(byBank ? 'bank' : 'network', `stray-${no} of ${amountMinor}`);
      if (byBank) outside.bank.payIn(`stray-${no}`, credit, 1);
      else network.arrive(`stray-${no}`, { address, memo, amountMinor, ourToken: dice.percent(80) });
    });
  }
}

function isOf({ model }: Setting, transactionId: string): (about: string) => boolean {
  return (about) => model.tables.movements.get(about.replace('-', '_'))?.transactionId === transactionId;
}
