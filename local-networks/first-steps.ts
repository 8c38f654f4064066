// The output of `npm run networks` after the start: the addresses, and a first buy and sell to copy line by line.
import path from 'node:path';
import { SAMPLE_VENDORS } from '../src/adapters/simulation/samples.ts';
import type { LocalNetworks } from './start.ts';

export interface DataPlace {
  readonly dir: string;
  readonly data: string;
  readonly isUsual: boolean;
}

export function describeLocalNetworks({ networks, faucet, environment }: LocalNetworks): string {
  const width = Math.max(...networks.map(({ name }) => name.length)) + 2;
  const indent = ' '.repeat(width);
  const rows = networks.map(({ name, urls, chain, token, treasury }) =>
    [
      `${name.padEnd(width)}rpc       ${urls.join('  ')}`,
      `${indent}chain     ${chain}`,
      `${indent}NGNC      ${token}`,
      `${indent}treasury  ${treasury}`,
    ].join('\n'),
  );
  return `
${rows.join('\n')}

${'Faucet'.padEnd(width)}${faucet}
${'Files'.padEnd(width)}${Object.values(environment).join('\n'.padEnd(width + 1))}

They run until Ctrl-C, and are forgotten then.
`;
}

export function describeFirstSteps(local: LocalNetworks, { data, isUsual }: DataPlace): string {
  const { environment, faucet, networks } = local;
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const start = isUsual
    ? `DATA_DIR=${data} npm start -- --networks local`
    : `${settings.join(' ')} \\\n  DATA_DIR=${data} npm start`;
  const [vendor] = SAMPLE_VENDORS;
  const credentials = path.resolve(data, 'sandbox.json');
  const names = networks.map(({ name }) => name);
  return `Next, in another terminal, the service (with a database of its own, because these chains are new):

${start}

Then, in a third one, in this directory:

KEY=$(node -p "require('${credentials}').test_key")
BUSINESS=$(node -p "require('${credentials}').business_id")
TAG=$(node -p "require('${credentials}').link_tag")
# Or ${names.slice(1).join(', ')}.
NETWORK=${names[0]}

# A wallet that can receive, and nothing in it.
WALLET=$(curl -s ${faucet}/wallets/$NETWORK | node -p "JSON.parse(fs.readFileSync(0)).wallet")
curl -s ${faucet}/balances/$NETWORK/$WALLET

# A buy whose payment arrives by itself.
curl -s localhost:4000/transactions/v1/onramp -H "svc-sec-key: $KEY" -H 'svc-scenario: paid' \\
  -H 'content-type: application/json' -d '{
  "business_id": "'$BUSINESS'", "link_tag": "'$TAG'", "type": "buy_ramp", "amount": 15000,
  "vendor_name": "${vendor.name}", "vendor_bank": "${vendor.bank}", "vendor_number": "${vendor.number}",
  "bank_name": "GTBank", "account_number": "0123456785", "account_name": "Adaeze Okafor",
  "network": "'$NETWORK'", "wallet_address": "'$WALLET'", "reference": "buy-'$WALLET'"
}'

# Some seconds later: "completed", with the tx_hash of the transfer; and the tokens are in the wallet.
sleep 10
curl -s "localhost:4000/transactions/v1?reference=buy-$WALLET" -H "svc-sec-key: $KEY" |
  node -p "const { state, tx_hash } = JSON.parse(fs.readFileSync(0)).transactions[0]; state + ' ' + tx_hash"
curl -s ${faucet}/balances/$NETWORK/$WALLET

# A sell: the customer sends tokens to its deposit address, and the naira are paid out.
curl -s localhost:4000/transactions/v1/offramp -H "svc-sec-key: $KEY" -H 'svc-scenario: paid' \\
  -H 'content-type: application/json' -d '{
  "business_id": "'$BUSINESS'", "link_tag": "'$TAG'", "type": "sell_ramp", "amount": 25000,
  "account_name": "Adaeze Okafor", "account_number": "0123456785", "bank_name": "GTBank",
  "network": "'$NETWORK'", "wallet_address": "'$WALLET'", "reference": "sell-'$WALLET'"
}'
sleep 10
curl -s "localhost:4000/transactions/v1?reference=sell-$WALLET" -H "svc-sec-key: $KEY" |
  node -p "const { state, tx_hash } = JSON.parse(fs.readFileSync(0)).transactions[0]; state + ' ' + tx_hash"

# What the treasuries hold, and what the books say of it.
${settings.join(' ')} \\
  DATA_DIR=${data} bin/sliproad treasury
`;
}
