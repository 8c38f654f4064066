// Starts the three local banks together: their journal, a server for each, and the control port. The journal stays in the
// directory, so a killed bank that restarts there loses nothing.
import path from 'node:path';
import { BankCore } from './books/bank.ts';
import { BankBooks } from './books/books.ts';
import { chargeOf } from './books/charges.ts';
import { type LocalRailName, type OwnAccount, RAILS } from './books/entries.ts';
import { makeNuban } from './books/identifiers.ts';
import { bankByCbn, bankByNip, cbnCodeOf } from './books/known-banks.ts';
import { type ControlActions, makeControlActions } from './control/actions.ts';
import { type BooksOverview, booksOverviewOf } from './control/overview.ts';
import { startControlServer } from './control/server.ts';
import { Faults } from './faults/faults.ts';
import type { BankFault } from './faults/kinds.ts';
import { BankWebhooks } from './http/bank-webhooks.ts';
import { type RunningServer, startProvider } from './http/server.ts';
import { makeMonnifyProvider, makeMonnifyReporter } from './monnify/provider.ts';
import { makePaystackProvider, makePaystackReporter } from './paystack/provider.ts';
import { makeProvidusReporter } from './providus/credits.ts';
import { makeProvidusProvider } from './providus/provider.ts';
import { railRowsOf } from './rail-rows.ts';
import { refuseSecondRun, refuseTakenPorts } from './refuse-taken.ts';
import {
  type BankSecrets,
  type BanksFileRow,
  bankFilesIn,
  clearRails,
  loadBankSecrets,
  writeRails,
} from './settings.ts';

export interface LocalBanksOptions {
  readonly dir: string;
  /** The port of the control server. The ports of the banks follow it. If absent, free ports are used. */
  readonly basePort?: number;
  readonly now?: () => number;
  /** Whether the bank with NIP transfers charges fees, as real banks do. The default is false. */
  readonly charges?: boolean;
}

interface LocalBank<Credentials> {
  readonly url: string;
  readonly credentials: Credentials;
  readonly account: { readonly bankCode: string; readonly number: string; readonly name: string };
}

export interface LocalBanks extends ControlActions {
  readonly control: string;
  readonly providus: LocalBank<BankSecrets['providus']>;
  readonly paystack: LocalBank<BankSecrets['paystack']>;
  readonly monnify: LocalBank<BankSecrets['monnify']> & { readonly sourceAccount: string };
  readonly rails: readonly BanksFileRow[];
  readonly environment: Readonly<Record<string, string>>;
  books(): BooksOverview;
  setFault(fault: BankFault): string;
  clearFaults(): void;
  settle(): Promise<void>;
  close(): Promise<void>;
}

const TICK_MS = 100;
const OPENING_KOBO = 50_000_000_000n;
const WALLET_REFERENCE = 'wallet';
const BALANCE_REFERENCE = 'balance';
const OPENING_ACCOUNTS: readonly (readonly [
  LocalRailName,
  cbn: string,
  serial: string,
  reference: string,
])[] = [
  ['providus', '101', '540000001', 'main'],
  ['paystack', '035', '990000001', 'CUS_local00000001'],
  ['paystack', '035', '990000009', BALANCE_REFERENCE],
  ['monnify', '50515', '600000001', 'vendor'],
  ['monnify', '50515', '800000001', WALLET_REFERENCE],
];

export async function startLocalBanks(options: LocalBanksOptions): Promise<LocalBanks> {
  const { basePort, now = Date.now } = options;
  const dir = path.resolve(options.dir);
  const files = bankFilesIn(dir);
  await refuseSecondRun(dir, files);
  if (basePort !== undefined) await refuseTakenPorts(basePort, 1 + RAILS.length);
  await clearRails(files);
  const secrets = await loadBankSecrets(dir);
  const books = new BankBooks(files.journal, now);
  openMissingAccounts(books);
  const faults = new Faults(now);
  const bank = new BankCore(books, faults, options.charges ? chargeOf : undefined);
  const running: RunningServer[] = [];
  try {
    return await openLocalBanks(bank, secrets, { files, dir, basePort, running });
  } catch (error) {
    await Promise.all(running.map((server) => server.close()));
    books.close();
    throw error;
  }
}

/** The journal may be older than a rail, or may end in the middle of a first start. Then some accounts are missing. */
function openMissingAccounts(books: BankBooks): void {
  for (const [rail, cbn, serial, reference] of OPENING_ACCOUNTS) {
    if (books.ownAccounts.some((each) => each.rail === rail && each.reference === reference)) continue;
    const id = books.nextId();
    const account = {
      rail,
      id,
      nip: bankByCbn(cbn)!.nip,
      number: makeNuban(cbn, serial),
      reference,
    } as const;
    books.write({ type: 'own-account', account: { ...account, name: 'SLIPROAD VENDOR', at: books.now() } });
  }
  for (const rail of RAILS)
    if (books.topUpsOf(rail).length === 0)
      books.write({ type: 'top-up', rail, amountKobo: OPENING_KOBO, at: books.now() });
}

interface StartContext {
  readonly files: ReturnType<typeof bankFilesIn>;
  readonly dir: string;
  readonly basePort: number | undefined;
  readonly running: RunningServer[];
}

async function openLocalBanks(
  bank: BankCore,
  secrets: BankSecrets,
  { files, dir, basePort, running }: StartContext,
): Promise<LocalBanks> {
  const { books, faults } = bank;
  const ours = (rail: LocalRailName): OwnAccount => books.ownAccounts.find((each) => each.rail === rail)!;
  const known = (name: string) => books.ownAccounts.find(({ reference }) => reference === name)!;
  const walletAccount = () => known(WALLET_REFERENCE);
  const wallet = { secretKey: secrets.monnify.secretKey, account: walletAccount };
  const notices: BankWebhooks = new BankWebhooks(books, faults, {
    providus: makeProvidusReporter(secrets.providus),
    paystack: makePaystackReporter(bank, secrets.paystack),
    monnify: makeMonnifyReporter(bank, secrets.monnify, wallet),
  });
  const actions = makeControlActions(bank, notices);
  const providers = [
    makeProvidusProvider(
      bank,
      secrets.providus,
      () => ours('providus'),
      () => notices,
    ),
    makePaystackProvider(bank, secrets.paystack, () => notices),
    makeMonnifyProvider(bank, secrets.monnify, wallet),
  ];
  const portOf = (offset: number) => (basePort === undefined ? 0 : basePort + offset);
  for (const [index, provider] of providers.entries())
    running.push(await startProvider(provider, faults, portOf(index + 1)));
  const [providus, paystack, monnify] = running.map(({ url }) => url) as [string, string, string];
  const urls = { providus, paystack, monnify };
  const rails = railRowsOf(urls, {
    secrets,
    ours,
    wallet: walletAccount(),
    balance: known(BALANCE_REFERENCE),
  });
  const about = () => ({ ...urls, directory: dir, rails, see: 'npm run banks -- --help' });
  const control = await startControlServer({ books, faults, actions, about }, portOf(0));
  running.push(control);
  await writeRails(files, rails, control.url);
  const ticking = setInterval(() => notices.settle(), TICK_MS).unref();
  const shown = <Credentials>(rail: LocalRailName, credentials: Credentials): LocalBank<Credentials> => {
    const { nip, number, name } = ours(rail);
    const account = { bankCode: cbnCodeOf(bankByNip(nip)!), number, name };
    return { ...{ url: urls[rail], credentials }, account };
  };
  return {
    ...actions,
    control: control.url,
    providus: shown('providus', secrets.providus),
    paystack: shown('paystack', secrets.paystack),
    monnify: { ...shown('monnify', secrets.monnify), sourceAccount: walletAccount().number },
    rails,
    environment: { BANKS_FILE: files.rails },
    books: () => booksOverviewOf(books),
    setFault: (fault) => faults.set(fault),
    clearFaults: () => faults.clear(),
    settle: () => notices.settle(),
    close: async () => {
      // This step comes first, so that from here on a service cannot find the banks.
      await clearRails(files);
      clearInterval(ticking);
      await notices.close();
      await Promise.all(running.map((server) => server.close()));
      books.close();
    },
  };
}
