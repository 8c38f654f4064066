// What can be done to the local banks from outside: by a test in the same process, and by anyone through the control port.
import type { Bank } from '../books/bank.ts';
import type { OwnAccount } from '../books/entries.ts';
import { bankByNip, cbnCodeOf } from '../books/known-banks.ts';
import { nairaText } from '../books/money.ts';
import { statementCsv, statementOf } from '../books/statement.ts';
import type { Notices } from '../http/notices.ts';
import { type BookedCredit, type BookedPayout, creditOf, payoutOf } from './overview.ts';
import {
  accountNumberOf,
  amountOf,
  BadRequest,
  dayOfField,
  type Fields,
  nipOf,
  payerOf,
  railOf,
  textOf,
  urlOf,
} from './requests.ts';

export function makeActions(bank: Bank, notices: Notices) {
  return { ...moneyActions(bank, notices), ...settingActions(bank) };
}

export type Actions = ReturnType<typeof makeActions>;

function moneyActions(bank: Bank, notices: Notices) {
  const { books } = bank;
  return {
    /** A customer pays into one of our accounts. */
    async payIn(fields: Fields): Promise<BookedCredit> {
      const rail = railOf(fields);
      const number = accountNumberOf(fields, 'accountNumber');
      if (!books.ownAccounts.some((each) => each.rail === rail && each.number === number))
        throw new BadRequest(
          `accountNumber ${number} is no account of ours at ${rail}: GET /books lists them.`,
        );
      const credit = bank.receive({
        ...{ rail, account: number, amountKobo: amountOf(fields), payer: payerOf(fields) },
        ...(fields.due !== undefined && { dueKobo: amountOf(fields, 'due') }),
        feeKobo: fields.fee === undefined ? 0n : amountOf(fields, 'fee'),
        narration: typeof fields.narration === 'string' ? fields.narration : '',
      });
      await notices.settle();
      return creditOf(books, credit);
    },

    /** A payout that was paid comes back. */
    async reverse(fields: Fields): Promise<BookedPayout> {
      const [rail, reference] = [railOf(fields), textOf(fields, 'reference')];
      const payout = books.payout(rail, reference);
      if (payout === undefined) throw new BadRequest(`reference ${reference} is unknown at ${rail}.`);
      const { state } = books.standing(payout);
      if (state !== 'paid')
        throw new BadRequest(`reference ${reference} is ${state}: only a paid one can come back.`);
      books.write({ type: 'reversal', rail, reference, at: books.now() });
      await notices.settle();
      return payoutOf(books, payout);
    },

    /** The payer's bank takes a credit back. */
    async takeBack(fields: Fields): Promise<BookedCredit> {
      const rail = railOf(fields);
      const credit = books
        .creditsOf(rail)
        .find(({ id, sessionId }) => id === fields.creditId || sessionId === fields.sessionId);
      if (credit === undefined)
        throw new BadRequest('creditId or sessionId must be that of a credit of this rail.');
      if (!books.isTakenBack(credit))
        books.write({ type: 'taken-back', rail, id: credit.id, at: books.now() });
      await notices.settle();
      return creditOf(books, credit);
    },

    /** The statement of one of our accounts as CSV. */
    statement(fields: Fields): string {
      const [rail, number] = [railOf(fields), accountNumberOf(fields, 'number')];
      const account = books.ownAccounts.find((each) => each.rail === rail && each.number === number);
      if (account === undefined) throw new BadRequest(`number ${number} is no account of ours at ${rail}.`);
      const [from, to] = [dayOfField(fields, 'from'), dayOfField(fields, 'to')];
      return statementCsv(statementOf(books, account), from, to);
    },

    topUp(fields: Fields): { readonly balance: string } {
      const rail = railOf(fields);
      books.write({ type: 'top-up', rail, amountKobo: amountOf(fields), at: books.now() });
      return { balance: nairaText(books.balance(rail)) };
    },
  };
}

function settingActions(bank: Bank) {
  const { books } = bank;
  return {
    /** With a rail: one of our accounts. Without: an account of a person, at one bank or at every bank. */
    setAccount(fields: Fields): unknown {
      if (fields.rail !== undefined) return addOwn(bank, fields);
      const [number, name] = [accountNumberOf(fields, 'number'), textOf(fields, 'name')];
      const { state = 'open' } = fields;
      if (state !== 'open' && state !== 'dormant' && state !== 'unknown')
        throw new BadRequest('state must be open, dormant or unknown.');
      const nip = fields.bankCode === undefined ? '*' : nipOf(fields);
      const account = { nip, number, name, state } as const;
      books.write({ type: 'foreign-account', account });
      return account;
    },

    setWebhooks(fields: Fields): unknown {
      const [rail, url] = [railOf(fields), urlOf(fields)];
      books.write({ type: 'webhooks', rail, url });
      return { rail, url };
    },

    setValidation(fields: Fields): unknown {
      const [rail, url] = [railOf(fields), urlOf(fields)];
      if (rail !== 'monnify') throw new BadRequest(`${rail} has no validation of transactions: monnify has.`);
      books.write({ type: 'validation', rail, url });
      return { rail, url };
    },
  };
}

function addOwn(bank: Bank, fields: Fields): unknown {
  const { books } = bank;
  const account: OwnAccount = {
    ...{ rail: railOf(fields), id: books.nextId(), nip: nipOf(fields) },
    ...{ number: accountNumberOf(fields, 'number'), name: textOf(fields, 'name') },
    ...{ reference: `account-${textOf(fields, 'number')}`, at: books.now() },
  };
  if (books.ownAccounts.some(({ nip, number }) => nip === account.nip && number === account.number))
    throw new BadRequest(`number ${account.number} is an account of ours already.`);
  books.write({ type: 'own-account', account });
  return {
    rail: account.rail,
    number: account.number,
    bankCode: cbnCodeOf(bankByNip(account.nip)!),
    name: account.name,
  };
}
