// The rows of banks.json. Each row has the settings with which a service can use one local bank. The rows refer to secrets by
// file name.
import type { LocalRailName, OwnAccount } from './books/entries.ts';
import { bankByNip, cbnCodeOf } from './books/known-banks.ts';
import { type BankSecrets, type BanksFileRow, SECRET_FILES } from './settings.ts';

interface RailRowFacts {
  readonly secrets: BankSecrets;
  /** Accounts for payouts. Customers do not pay into them. */
  readonly wallet: OwnAccount;
  readonly balance: OwnAccount;
  ours(rail: LocalRailName): OwnAccount;
}

export function railRowsOf(
  urls: Readonly<Record<LocalRailName, string>>,
  { secrets, wallet, balance, ours }: RailRowFacts,
): readonly BanksFileRow[] {
  const common = (rail: LocalRailName, { nip, number } = ours(rail)) => {
    const account = { bank_code: cbnCodeOf(bankByNip(nip)!), number };
    return { mode: 'live', name: `${rail}-local`, account } as const;
  };
  return [
    {
      ...{ ...common('providus'), kind: 'nip-bank' },
      options: {
        base_url: urls.providus,
        user_name: secrets.providus.userName,
        password_file: SECRET_FILES.providusPassword,
        client_id: secrets.providus.clientId,
        client_secret_file: SECRET_FILES.providusClientSecret,
        source_account_name: ours('providus').name,
        credits_url: urls.providus,
        credits_from: dayBefore(ours('providus').at),
      },
    },
    {
      // The rail pays from the balance. Customers pay into the dedicated account, and the rail reports those payments.
      ...{ ...common('paystack', balance), kind: 'paystack' },
      options: {
        base_url: urls.paystack,
        secret_key_file: SECRET_FILES.paystackSecretKey,
        credits_from: dayBefore(balance.at),
        credits_lag_seconds: 1,
      },
    },
    {
      // The rail pays from the wallet, not from the account that customers pay into.
      ...{ ...common('monnify', wallet), kind: 'monnify' },
      // The CBN code of this bank has five digits, which the bank directory does not support.
      account: { bank_code: wallet.nip, number: wallet.number },
      options: {
        base_url: urls.monnify,
        api_key_file: SECRET_FILES.monnifyApiKey,
        secret_key_file: SECRET_FILES.monnifySecretKey,
        credits_from: dayBefore(wallet.at),
        credits_lag_seconds: 1,
      },
    },
  ];
}

const dayBefore = (atMs: number): string => new Date(atMs - 86_400_000).toISOString().slice(0, 10);
