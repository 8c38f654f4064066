// Naira that people moved at a bank, on the command line: the bank accounts in the books, and the proposals of the first of two
// people. No money is moved; the books follow what the bank statement shows.
import { readBankAccounts } from '../../../app/operations/bank-accounts.ts';
import { proposeNaira } from '../../../app/review/propose-naira.ts';
import { accountText, CHARGE_KINDS, type NairaKind } from '../../../domain/records/naira-move.ts';
import { formatNaira } from '../../../domain/values/money.ts';
import { renderAccounts } from '../../../renderings/bank-accounts.ts';
import { type Command, command, NEEDED_MODE, nairaOption, printTable, type Terminal } from '../../command.ts';
import type { Json } from '../../terminal/json.ts';
import type { OptionTable } from '../../terminal/options.ts';
import { answerOf } from '../decision-words.ts';
import { showProposal } from '../review-proposals.ts';

const LINE = {
  amount: { value: 'AMOUNT', needed: true, about: 'how much, in naira' },
  day: { value: 'YYYY-MM-DD', needed: true, about: 'the day on the bank statement' },
  reference: { value: 'TEXT', needed: true, about: 'the reference on the bank statement' },
} as const satisfies OptionTable;
const ACCOUNT = {
  account: { value: 'BANK:NUMBER', needed: true, about: 'the bank account (naira accounts)' },
} as const satisfies OptionTable;

const accountsCommand = command({
  name: 'naira accounts',
  summary: 'Show every bank account in the books: whose it is, what is free in it and what is set aside.',
  options: { mode: NEEDED_MODE },
  run: (terminal, { options: { mode } }) =>
    terminal.withFoundation(async (foundation) => {
      const { reviewDesk, backOffice } = foundation;
      const books = await reviewDesk.bankBooks(mode);
      const vendors = (await backOffice.listVendors()).filter((each) => each.mode === mode);
      const shown = books.map((book) => {
        const account = accountText(book);
        const vendor = vendors.find(({ bankCode, number }) => `${bankCode}:${number}` === account);
        const name = book.name === 'bank_out' ? 'payouts' : (vendor?.name ?? 'no vendor of this name');
        const { freeMinor, reservedMinor } = book;
        return {
          account,
          of: book.name === 'bank_out' ? 'payouts' : 'vendor',
          name,
          freeMinor,
          reservedMinor,
        };
      });
      if (shown.length === 0) terminal.print('The books have no bank account yet.');
      else
        printTable(terminal, [
          ['ACCOUNT', 'OF', 'NAME', 'FREE', 'SET ASIDE', 'IN ALL'],
          ...shown.map(({ account, of, name, freeMinor, reservedMinor }) => [
            ...[account, of, name, formatNaira(freeMinor), formatNaira(reservedMinor)],
            formatNaira(freeMinor + reservedMinor),
          ]),
        ]);
      return renderAccounts(await readBankAccounts(foundation, mode));
    }),
});

const putInCommand = command({
  name: 'naira put-in',
  summary: 'Propose to book naira that you put into an account payouts are made from.',
  options: { mode: NEEDED_MODE, ...ACCOUNT, ...LINE },
  run: (terminal, { options }) => propose(terminal, 'put_in', options),
});

const takeOutCommand = command({
  name: 'naira take-out',
  summary: 'Propose to book naira that you took out of a bank account. What is owed to others has to stay.',
  options: { mode: NEEDED_MODE, ...ACCOUNT, ...LINE },
  run: (terminal, { options }) => propose(terminal, 'taken_out', options),
});

const moveCommand = command({
  name: 'naira move',
  summary:
    'Propose to book naira that you moved between two bank accounts, such as a vendor’s and one for payouts.',
  options: {
    mode: NEEDED_MODE,
    from: { value: 'BANK:NUMBER', needed: true, about: 'the account that they left (naira accounts)' },
    to: { value: 'BANK:NUMBER', needed: true, about: 'the account that they reached' },
    ...LINE,
  },
  run: (terminal, { options: { from, ...options } }) =>
    propose(terminal, 'moved', { ...options, account: from }),
});

const chargeCommand = command({
  name: 'naira charge',
  summary:
    'Propose to book a charge or a levy that a bank statement shows and the books do not, or one given back.',
  options: {
    mode: NEEDED_MODE,
    ...ACCOUNT,
    what: { choices: CHARGE_KINDS, needed: true, about: 'which charge or levy it is' },
    returned: { about: 'the bank gave it back' },
    ...LINE,
  },
  run: (terminal, { options: { returned, what, ...options } }) =>
    propose(terminal, returned ? 'charge_returned' : 'charge_seen', { ...options, charge: what }),
});

export const nairaCommands: readonly Command[] = [
  ...[accountsCommand, putInCommand, takeOutCommand, moveCommand, chargeCommand],
];

type Given = Omit<Parameters<typeof proposeNaira>[1], 'kind' | 'charge' | 'to' | 'nairaMinor' | 'actor'> & {
  readonly amount: string;
  readonly to?: string;
  readonly charge?: (typeof CHARGE_KINDS)[number];
};

function propose(terminal: Terminal, kind: NairaKind, given: Given): Promise<Json> {
  const { amount, to = null, charge = null, ...line } = given;
  const asked = { ...line, kind, to, charge, nairaMinor: nairaOption(amount, '--amount') };
  return terminal.withFoundation(async (foundation) => {
    const { actor } = foundation;
    return showProposal(terminal, answerOf(await proposeNaira(foundation, { ...asked, actor })));
  });
}
