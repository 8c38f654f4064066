// Commands that record in the books the naira that people moved at a bank, as the bank statement shows it. They list the bank
// accounts in the books, and the first of two people makes a proposal. They move no money.
import { readBankAccounts } from '../../../app/operations/read-bank-accounts.ts';
import { proposeNairaBooking } from '../../../app/review/propose-naira-booking.ts';
import { CHARGE_KINDS, formatBankAccount, type NairaMoveKind } from '../../../domain/records/naira-move.ts';
import { formatNaira } from '../../../domain/values/money.ts';
import { renderAccounts } from '../../../renderings/bank-accounts.ts';
import {
  type Command,
  defineCommand,
  nairaOption,
  printTable,
  REQUIRED_MODE,
  type Terminal,
} from '../../command.ts';
import type { Json } from '../../terminal/json.ts';
import type { OptionTable } from '../../terminal/options.ts';
import { valueOrThrow } from '../decision-words.ts';
import { showProposal } from '../review-proposals.ts';

const LINE = {
  amount: { value: 'AMOUNT', needed: true, about: 'amount in naira' },
  day: { value: 'YYYY-MM-DD', needed: true, about: 'the day on the bank statement' },
  reference: { value: 'TEXT', needed: true, about: 'the reference on the bank statement' },
} as const satisfies OptionTable;
const ACCOUNT = {
  account: { value: 'BANK:NUMBER', needed: true, about: 'the bank account (naira accounts)' },
} as const satisfies OptionTable;

const accountsCommand = defineCommand({
  name: 'naira accounts',
  summary: 'List every bank account in the books: its purpose, its free balance and its reserved balance.',
  options: { mode: REQUIRED_MODE },
  run: (terminal, { options: { mode } }) =>
    terminal.withFoundation(async (foundation) => {
      const { reviewDesk, backOffice } = foundation;
      const books = await reviewDesk.bankBooks(mode);
      const vendors = (await backOffice.listVendors()).filter((each) => each.mode === mode);
      const shown = books.map((book) => {
        const account = formatBankAccount(book);
        const vendor = vendors.find(({ bankCode, number }) => `${bankCode}:${number}` === account);
        const name = book.name === 'bank_out' ? 'payouts' : (vendor?.name ?? 'unknown vendor');
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
          ['ACCOUNT', 'OF', 'NAME', 'FREE', 'RESERVED', 'TOTAL'],
          ...shown.map(({ account, of, name, freeMinor, reservedMinor }) => [
            ...[account, of, name, formatNaira(freeMinor), formatNaira(reservedMinor)],
            formatNaira(freeMinor + reservedMinor),
          ]),
        ]);
      return renderAccounts(await readBankAccounts(foundation, mode));
    }),
});

const putInCommand = defineCommand({
  name: 'naira put-in',
  summary: 'Propose to book naira that you paid into a payout account.',
  options: { mode: REQUIRED_MODE, ...ACCOUNT, ...LINE },
  run: (terminal, { options }) => proposeNairaMove(terminal, 'put_in', options),
});

const takeOutCommand = defineCommand({
  name: 'naira take-out',
  summary:
    "Propose to book naira that you withdrew from a bank account. Customers' money must stay in the account.",
  options: { mode: REQUIRED_MODE, ...ACCOUNT, ...LINE },
  run: (terminal, { options }) => proposeNairaMove(terminal, 'taken_out', options),
});

const moveCommand = defineCommand({
  name: 'naira move',
  summary:
    'Propose to book naira that you transferred between two bank accounts, for example from a vendor account to a payout account.',
  options: {
    mode: REQUIRED_MODE,
    from: { value: 'BANK:NUMBER', needed: true, about: 'the account debited (naira accounts)' },
    to: { value: 'BANK:NUMBER', needed: true, about: 'the account credited' },
    ...LINE,
  },
  run: (terminal, { options: { from, ...options } }) =>
    proposeNairaMove(terminal, 'moved', { ...options, account: from }),
});

const chargeCommand = defineCommand({
  name: 'naira charge',
  summary:
    'Propose to book a bank charge or levy that is on the statement and not in the books, or its return.',
  options: {
    mode: REQUIRED_MODE,
    ...ACCOUNT,
    what: { choices: CHARGE_KINDS, needed: true, about: 'kind of charge or levy' },
    returned: { about: 'the bank returned the charge' },
    ...LINE,
  },
  run: (terminal, { options: { returned, what, ...options } }) =>
    proposeNairaMove(terminal, returned ? 'charge_returned' : 'charge_seen', { ...options, charge: what }),
});

export const nairaCommands: readonly Command[] = [
  ...[accountsCommand, putInCommand, takeOutCommand, moveCommand, chargeCommand],
];

type GivenNairaMove = Omit<
  Parameters<typeof proposeNairaBooking>[1],
  'kind' | 'charge' | 'to' | 'nairaMinor' | 'actor'
> & {
  readonly amount: string;
  readonly to?: string;
  readonly charge?: (typeof CHARGE_KINDS)[number];
};

function proposeNairaMove(terminal: Terminal, kind: NairaMoveKind, given: GivenNairaMove): Promise<Json> {
  const { amount, to = null, charge = null, ...line } = given;
  const asked = { ...line, kind, to, charge, nairaMinor: nairaOption(amount, '--amount') };
  return terminal.withFoundation(async (foundation) => {
    const { actor } = foundation;
    return showProposal(terminal, valueOrThrow(await proposeNairaBooking(foundation, { ...asked, actor })));
  });
}
