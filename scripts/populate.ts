// Fills the sandbox of a running service with buys and sells of many kinds, for screenshots and manual tests: npm run populate --
// --data DIR --count 40. It uses the public API with the test key, like any business.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.DATA_DIR ?? 'data' },
    count: { type: 'string', default: '40' },
  },
});

interface Sandbox {
  readonly base_url: string;
  readonly otc_base_url: string;
  readonly business_id: string;
  readonly link_tag: string;
  readonly test_key: string;
}

const sandbox = JSON.parse(readFileSync(path.join(values.data, 'sandbox.json'), 'utf8')) as Sandbox;
const NAMES = ['Adaeze Okafor', 'Tunde Bakare', 'Ngozi Eze', 'Musa Ibrahim', 'Funke Adeyemi', 'Chidi Nwosu'];
const BANKS = ['GTBank', 'Zenith Bank', 'Access Bank', 'United Bank For Africa', 'First Bank of Nigeria'];
const WALLETS = [
  ['Polygon', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['Avalanche', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['Solana', '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'],
] as const;
/** Most buys are paid in full. The remaining ones show other outcomes. */
const BUYS = [
  'paid',
  'paid',
  'underpaid',
  'paid',
  'paid',
  'overpaid',
  'paid',
  '',
  'paid',
  'name_mismatch',
  'paid',
];
const SELLS = ['paid', 'payout_fails', 'paid', 'deposit_short', 'paid', 'payout_returned'];

async function call<T = unknown>(method: string, url: string, body?: object, scenario = ''): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      'svc-sec-key': sandbox.test_key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(scenario !== '' && { 'svc-scenario': scenario }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

const pickCyclic = <T>(all: readonly T[], index: number): T => all[index % all.length]!;

function commonFields(index: number) {
  return {
    business_id: sandbox.business_id,
    link_tag: sandbox.link_tag,
    amount: 15_000 + ((index * 7_919) % 97) * 2_500,
    account_name: pickCyclic(NAMES, index),
    account_number: String(7_000_000_000 + index * 104_729),
    bank_name: pickCyclic(BANKS, index),
  };
}

interface Vendor {
  readonly vendorName: string;
  readonly vendorBank: string;
  readonly vendorNumber: string;
}

const { base_url } = sandbox;
const { VendorList: vendors } = await call<{ VendorList: Vendor[] }>(
  'GET',
  `${base_url}/transactions/v1/vendors`,
);
const count = Number(values.count);
for (let index = 0; index < count; index++) {
  const [network, wallet_address] = pickCyclic(WALLETS, index);
  if (index % 4 === 3) {
    const body = { ...commonFields(index), type: 'sell_ramp', network, wallet_address };
    await call('POST', `${base_url}/transactions/v1/offramp`, body, pickCyclic(SELLS, index >> 2));
  } else {
    const {
      vendorName: vendor_name,
      vendorBank: vendor_bank,
      vendorNumber: vendor_number,
    } = pickCyclic(vendors, index);
    const vendor = { vendor_name, vendor_bank, vendor_number };
    const body = { ...commonFields(index), type: 'buy_ramp', ...vendor, network, wallet_address };
    await call('POST', `${base_url}/transactions/v1/onramp`, body, pickCyclic(BUYS, index));
  }
  process.stdout.write(`\r${index + 1} of ${count}`);
}
console.log('\nThe sandbox now simulates them. Open the dashboard, or: npm run screenshots');
