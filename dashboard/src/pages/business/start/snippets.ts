// Code examples for the first buy, filled in with the business, its vendor account and the address of this service. They never
// contain the secret key, which stays in a variable of the reader's shell.
import type { BuyExample, BuyVendor } from '../../../api/console-types.ts';

export interface FirstBuy {
  readonly baseUrl: string;
  readonly businessId: string;
  readonly linkTag: string;
  readonly vendor: BuyVendor;
  readonly payer: Pick<BuyExample, 'bank_name' | 'account_number' | 'account_name'>;
  readonly network: string;
  readonly walletAddress: string;
  readonly amount: number;
}

export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

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
  payer,
  network,
  walletAddress,
  amount,
}: FirstBuy): string {
  return call(baseUrl, '/transactions/v1/onramp', {
    ...{ business_id: businessId, link_tag: linkTag, type: 'buy_ramp', amount },
    ...vendor,
    ...payer,
    ...{ network, wallet_address: walletAddress },
  });
}

export function payLines({ baseUrl, vendor, payer, amount }: FirstBuy): string {
  return call(baseUrl, '/sandbox/v1/bank-credits', {
    ...{ vendor_number: vendor.vendor_number, amount },
    ...{ payer_account_number: payer.account_number, payer_bank_name: payer.bank_name },
    payer_name: payer.account_name,
  });
}

const text = (value: string) => JSON.stringify(value);

export function sdkLines({
  baseUrl,
  businessId,
  linkTag,
  payer,
  network,
  walletAddress,
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
  bank_name: ${text(payer.bank_name)},
  account_number: ${text(payer.account_number)},
  account_name: ${text(payer.account_name)},
  network: ${text(network)},
  wallet_address: ${text(walletAddress)},
});
console.log(buy.transaction_id, buy.state);

// In test mode, you are the bank.
await sliproad.sandbox.bankCredit({
  vendor_number: vendor.vendorNumber,
  amount: ${amount},
  payer_account_number: ${text(payer.account_number)},
  payer_bank_name: ${text(payer.bank_name)},
  payer_name: ${text(payer.account_name)},
});

const completed = await sliproad.waitFor(buy.transaction_id, 'completed');
console.log(completed.state, completed.tx_hash);`;
}
