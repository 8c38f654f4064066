// Plays how the customers of a buy pay naira at the bank, and what happens to the money outside the service afterwards. It also
// plays money without a claim. The service learns about both only from its feeds.
import type { SandboxCredit } from '../../../src/ports/sandbox.ts';
import { makeDice } from '../../support/dice.ts';
import { namesakeOf } from '../world/places.ts';
import type { Setting } from '../world/setting.ts';
import { BANK, type Errand } from './errands.ts';
import { reportAgain, takeBack } from './notices.ts';
import { reportElsewhere, withSession } from './second-source.ts';

export const OTHER_NAME = 'ANOTHER PERSON';
export const SOON_MS = 4_000;
export const LATER_MS = 60_000;
export const TOO_LATE_MS = 120_000;

interface Payments {
  readonly soonMs: number;
  pay(afterMs: number, changes?: Partial<SandboxCredit>, copies?: number, id?: string, from?: string): void;
  reverse(afterMs: number): void;
}

/** A customer can pay for a buy without the service's response, so the payment may arrive before the buy is submitted. */
export function payBuy(setting: Setting, errand: Errand): void {
  const { agenda, dice } = setting;
  const { reference } = errand;
  const payments: Payments = {
    soonMs: dice.below(SOON_MS),
    pay: (afterMs, changes = {}, copies = 1, id = `pay-${reference}`, from = errand.accountNumber) =>
      agenda.at(agenda.now() + afterMs, () => payIn(setting, errand, id, from, changes, copies)),
    reverse: (afterMs) => agenda.at(agenda.now() + afterMs, () => takeBack(setting, `pay-${reference}`)),
  };
  payAmount(setting, errand, payments);
  payAndTakeBack(setting, errand, payments);
  payUnderAnotherName(setting, errand, payments);
}

/** Pays on time or late, with the full amount or another amount. Other functions play scenarios and buyers who do not pay. */
function payAmount(
  { dice, company, seed }: Setting,
  { reference, how, amountMinor }: Errand,
  { soonMs, pay }: Payments,
): void {
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
      const own = makeDice(`${seed} ${reference} pays in parts`);
      const restMs = soonMs + dice.below(20_000);
      const [way, secondMinor] = [own.below(4), amountMinor / 4n];
      pay(soonMs, { amountMinor: first });
      if (way === 0) pay(soonMs + own.below(60_000), { amountMinor: secondMinor }, 1, `second-${reference}`);
      const restMinor = amountMinor - first - (way === 0 ? secondMinor : 0n) + (way === 1 ? 1_000n : 0n);
      pay(restMs, { amountMinor: restMinor }, 1, `rest-${reference}`);
      break;
    }
    case 'over':
      pay(soonMs, { amountMinor: amountMinor + BigInt(dice.between(1, 100_000)) });
      break;
    case 'paid_twice':
      pay(soonMs);
      pay(soonMs + dice.below(20_000), {}, 1, `again-${reference}`);
      break;
    case 'reported_twice':
      pay(soonMs, {}, 3);
      break;
  }
}

function payAndTakeBack(
  setting: Setting,
  { reference, how, amountMinor }: Errand,
  { soonMs, pay, reverse }: Payments,
): void {
  const { agenda, dice } = setting;
  switch (how) {
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
      agenda.at(agenda.now() + backMs + 1, () => reportAgain(setting, 'credit_reversed', isMeant));
      break;
    }
  }
}

function payUnderAnotherName({ company, seed }: Setting, errand: Errand, { soonMs, pay }: Payments): void {
  const { reference, accountNumber } = errand;
  // This is an account of another person with the same name.
  const account = namesakeOf(accountNumber);
  switch (errand.how) {
    case 'masked_namesake': {
      const masked = makeDice(`${seed} ${reference} is masked`).percent(50);
      pay(soonMs, masked ? { payerAccount: `******${account.slice(-4)}` } : {}, 1, undefined, account);
      break;
    }
    case 'other_name':
      pay(soonMs, { payerName: OTHER_NAME });
      break;
    case 'masked':
      pay(soonMs, { payerAccount: `******${accountNumber.slice(-4)}` });
      break;
    case 'by_reference': {
      const narration = `TRF/${reference}/NGN`;
      if (makeDice(`${seed} ${reference} pays from`).percent(50))
        pay(soonMs, { payerAccount: null, narration });
      else pay(soonMs, { payerAccount: account, narration }, 1, undefined, account);
      break;
    }
    case 'other_account':
      pay(soonMs, { accountNumber: company.vendors[(errand.vendor + 1) % 3]!.number });
      break;
  }
}

function payIn(
  setting: Setting,
  errand: Errand,
  id: string,
  from: string,
  changes: Partial<SandboxCredit>,
  copies: number,
): void {
  const { company, outside, tale } = setting;
  const credit = withSession(setting, id, {
    accountNumber: company.vendors[errand.vendor]!.number,
    accountBankCode: null,
    amountMinor: errand.amountMinor,
    payerAccount: from,
    payerBankName: BANK,
    payerName: errand.accountName.toUpperCase(),
    narration: null,
    sessionId: null,
    ...changes,
  });
  tale.line('bank', `${id} of ${credit.amountMinor} for ${errand.reference}, reported ${copies}×`);
  outside.payers.set(id, from);
  outside.bank.payIn(id, credit, copies);
  reportElsewhere(setting, id, credit);
}

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
    const { address, memo } = network.depositTarget(`no order ${no}`);
    const byBank = dice.percent(50);
    agenda.at(agenda.now() + dice.below(spanMs), () => {
      tale.line(byBank ? 'bank' : 'network', `stray-${no} of ${amountMinor}`);
      if (byBank) outside.bank.payIn(`stray-${no}`, credit, 1);
      else network.arrive(`stray-${no}`, { address, memo, amountMinor, ourToken: dice.percent(80) });
    });
  }
}
