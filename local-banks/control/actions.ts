// The actions of people and tests on the local banks. A test in the same process calls them directly. Everyone else uses the
// control port.
import type { BankCore } from '../books/bank.ts';
import type { OwnAccount } from '../books/entries.ts';
import { bankByNip, cbnCodeOf } from '../books/known-banks.ts';
import { nairaText } from '../books/money.ts';
import { statementCsv, statementOf } from '../books/statement.ts';
import type { BankWebhooks } from '../http/bank-webhooks.ts';
import { type BookedCredit, type BookedPayout, bookedCreditOf, bookedPayoutOf } from './overview.ts';
import {
  BadRequestError,
  type RequestFields,
  readAccountNumber,
  readAmount,
  readDay,
  readNip,
  readPayer,
  readRail,
  readText,
  readUrl,
} from './requests.ts';

export function makeControlActions(bank: BankCore, notices: BankWebhooks) {
  return { ...moneyActions(bank, notices), ...settingActions(bank) };
}

export type ControlActions = ReturnType<typeof makeControlActions>;

function moneyActions(bank: BankCore, notices: BankWebhooks) {
  const { books } = bank;
  return {
    async payIn(fields: RequestFields): Promise<BookedCredit> {
      const rail = readRail(fields);
      const number = readAccountNumber(fields, 'accountNumber');
      if (!books.ownAccounts.some((each) => each.rail === rail && each.number === number))
        throw new BadRequestError(
          `accountNumber ${number} is no account of ours at ${rail}: GET /books lists them.`,
        );
      const credit = bank.receive({
        ...{ rail, account: number, amountKobo: readAmount(fields), payer: readPayer(fields) },
        ...(fields.due !== undefined && { dueKobo: readAmount(fields, 'due') }),
        feeKobo: fields.fee === undefined ? 0n : readAmount(fields, 'fee'),
        narration: typeof fields.narration === 'string' ? fields.narration : '',
      });
      await notices.settle();
      return bookedCreditOf(books, credit);
    },

    /** Returns a payout that was already paid. */
    async reverse(fields: RequestFields): Promise<BookedPayout> {
      const [rail, reference] = [readRail(fields), readText(fields, 'reference')];
      const payout = books.payout(rail, reference);
      if (payout === undefined) throw new BadRequestError(`reference ${reference} is unknown at ${rail}.`);
      const { state } = books.standing(payout);
      if (state !== 'paid')
        throw new BadRequestError(`reference ${reference} is ${state}: only a paid one can come back.`);
      books.write({ type: 'reversal', rail, reference, at: books.now() });
      await notices.settle();
      return bookedPayoutOf(books, payout);
    },

    async takeBack(fields: RequestFields): Promise<BookedCredit> {
      const rail = readRail(fields);
      const credit = books
        .creditsOf(rail)
        .find(({ id, sessionId }) => id === fields.creditId || sessionId === fields.sessionId);
      if (credit === undefined)
        throw new BadRequestError('creditId or sessionId must be that of a credit of this rail.');
      if (!books.isTakenBack(credit))
        books.write({ type: 'taken-back', rail, id: credit.id, at: books.now() });
      await notices.settle();
      return bookedCreditOf(books, credit);
    },

    statement(fields: RequestFields): string {
      const [rail, number] = [readRail(fields), readAccountNumber(fields, 'number')];
      const account = books.ownAccounts.find((each) => each.rail === rail && each.number === number);
      if (account === undefined)
        throw new BadRequestError(`number ${number} is no account of ours at ${rail}.`);
      const [from, to] = [readDay(fields, 'from'), readDay(fields, 'to')];
      return statementCsv(statementOf(books, account), from, to);
    },

    topUp(fields: RequestFields): { readonly balance: string } {
      const rail = readRail(fields);
      books.write({ type: 'top-up', rail, amountKobo: readAmount(fields), at: books.now() });
      return { balance: nairaText(books.balance(rail)) };
    },
  };
}

function settingActions(bank: BankCore) {
  const { books } = bank;
  return {
    setAccount(fields: RequestFields): unknown {
      if (fields.rail !== undefined) return addOwnAccount(bank, fields);
      const [number, name] = [readAccountNumber(fields, 'number'), readText(fields, 'name')];
      const { state = 'open' } = fields;
      if (state !== 'open' && state !== 'dormant' && state !== 'unknown')
        throw new BadRequestError('state must be open, dormant or unknown.');
      const nip = fields.bankCode === undefined ? '*' : readNip(fields);
      const account = { nip, number, name, state } as const;
      books.write({ type: 'foreign-account', account });
      return account;
    },

    setWebhooks(fields: RequestFields): unknown {
      const [rail, url] = [readRail(fields), readUrl(fields)];
      books.write({ type: 'webhooks', rail, url });
      return { rail, url };
    },

    setValidation(fields: RequestFields): unknown {
      const [rail, url] = [readRail(fields), readUrl(fields)];
      if (rail !== 'monnify')
        throw new BadRequestError(`${rail} has no validation of transactions: monnify has.`);
      books.write({ type: 'validation', rail, url });
      return { rail, url };
    },
  };
}

function addOwnAccount(bank: BankCore, fields: RequestFields): unknown {
  const { books } = bank;
  const account: OwnAccount = {
    ...{ rail: readRail(fields), id: books.nextId(), nip: readNip(fields) },
    ...{ number: readAccountNumber(fields, 'number'), name: readText(fields, 'name') },
    ...{ reference: `account-${readText(fields, 'number')}`, at: books.now() },
  };
  if (books.ownAccounts.some(({ nip, number }) => nip === account.nip && number === account.number))
    throw new BadRequestError(`number ${account.number} is an account of ours already.`);
  books.write({ type: 'own-account', account });
  return {
    rail: account.rail,
    number: account.number,
    bankCode: cbnCodeOf(bankByNip(account.nip)!),
    name: account.name,
  };
}
