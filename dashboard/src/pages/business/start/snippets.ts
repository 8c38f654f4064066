// The first buy as lines to paste: filled in with the business, its vendor and the address of this service. The secret key is never in
// them: it stays in a variable of the reader's shell.

export interface FirstBuy {
  readonly baseUrl: string;
  readonly businessId: string;
  readonly linkTag: string;
  readonly vendor: {
    readonly vendor_name: string;
    readonly vendor_number: string;
    readonly vendor_bank: string;
  };
  readonly account: {
    readonly bank_name: string;
    readonly account_number: string;
    readonly account_name: string;
  };
  readonly network: string;
  readonly wallet: string;
  readonly amount: number;
}

/** What the session API gives to fill them in with. */
export interface FirstBuyAnswer {
  readonly vendors: readonly FirstBuy['vendor'][];
  readonly example:
    | (FirstBuy['account'] & {
        readonly network: string;
        readonly wallets: Readonly<Record<string, string>>;
      })
    | null;
}

/** Inside single quotes of a shell: a quote ends them, stands escaped, and begins them again. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A POST as lines for a terminal. */
export function call(baseUrl: string, path: string, body: object): string {
  const json = JSON.stringify(body, null, 2);
  return `curl -s ${shellQuoted(baseUrl + path)} \\
  -H "svc-sec-key: $SLIPROAD_KEY" \\
  -H 'content-type: application/json' \\
  -d ${shellQuoted(json)}`;
}

export const KEY_LINE = `export SLIPROAD_KEY='sk_test_…'`;

export function buyLines({
  baseUrl,
  businessId,
  linkTag,
  vendor,
  account,
  network,
  wallet,
  amount,
}: FirstBuy): string {
  return call(baseUrl, '/transactions/v1/onramp', {
    ...{ business_id: businessId, link_tag: linkTag, type: 'buy_ramp', amount },
    ...vendor,
    ...account,
    ...{ network, wallet_address: wallet },
  });
}

export function payLines({ baseUrl, vendor, account, amount }: FirstBuy): string {
  return call(baseUrl, '/sandbox/v1/bank-credits', {
    ...{ vendor_number: vendor.vendor_number, amount },
    ...{ payer_account_number: account.account_number, payer_bank_name: account.bank_name },
    payer_name: account.account_name,
  });
}

const text = (value: string) => JSON.stringify(value);

export function sdkLines({
  baseUrl,
  businessId,
  linkTag,
  account,
  network,
  wallet,
  amount,
}: FirstBuy): string {
  return `import { Sliproad } from '@sliproad/sdk';

const sliproad = new Sliproad({
  secretKey: process.env.SLIPROAD_KEY,
  baseUrl: ${text(baseUrl)},
  businessId: ${text(businessId)},
  linkTag: ${text(linkTag)},
});

const [vendor] = await sliproad.vendors();
const buy = await sliproad.buy({
  amount: ${amount},
  vendor,
  bank_name: ${text(account.bank_name)},
  account_number: ${text(account.account_number)},
  account_name: ${text(account.account_name)},
  network: ${text(network)},
  wallet_address: ${text(wallet)},
});
console.log(buy.transaction_id, buy.state);

// In test mode you play the bank.
await sliproad.sandbox.bankCredit({
  vendor_number: vendor.vendorNumber,
  amount: ${amount},
  payer_account_number: ${text(account.account_number)},
  payer_bank_name: ${text(account.bank_name)},
  payer_name: ${text(account.account_name)},
});

const completed = await sliproad.waitFor(buy.transaction_id, 'completed');
console.log(completed.state, completed.tx_hash);`;
}
