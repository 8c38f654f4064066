// Rows of a networks file for the tests of its reader: one row of each family, for live and test mode. The provider URLs
// contain the word SECRET, which no error message may repeat.
import assert from 'node:assert/strict';
import path from 'node:path';
import { parseNetworks } from '../../../src/adapters/networks/settings/networks-file.ts';
import { SettingsError } from '../../../src/adapters/settings-problems.ts';

export const EXAMPLE = path.join(import.meta.dirname, '../../../networks.example.json');
export const TOKEN = '0xAb9aD9089f23e6779a8727900709427719f753e1';
export const ONES = `0x${'1'.repeat(40)}`;
export const TWOS = `0x${'2'.repeat(40)}`;
export const ISSUER = 'GASBV6W7GGED66MXEVC7YZHTWWYMSVYEY35USF2HJZBLABLYIFQGXZY6';
export const MINT = '52GzcLDMfBveMRnWXKX7U3Pa5Lf7QLkWWvsJRDjWDBSk';
export const RPC = ['https://one.example/SECRET-1?key=SECRET-2', 'https://user:SECRET-3@two.example/'];

export type Row = Record<string, unknown>;

/** A live row with a known name, without any optional field. */
export const POLYGON: Row = {
  name: 'Polygon',
  mode: 'live',
  rpc: RPC,
  key: 'treasury',
  low_water: { token: '5000000', native: '0.5' },
  signing: { per_transaction: '10000000', per_day: null },
  forwarder_factory: TWOS,
  first_block: 79_000_000,
  max_fee_per_gas_gwei: '500.5',
};
export const SOLANA: Row = {
  name: 'Solana',
  mode: 'live',
  rpc: ['https://one.example/SECRET-1', 'https://two.example/?SECRET-2'],
  key: 'treasury',
  low_water: { token: '0.01', native: '2' },
  signing: { per_transaction: null, per_day: null },
  priority_fee: 50_000,
};
export const STELLAR: Row = {
  name: 'Stellar',
  mode: 'live',
  rpc: ['https://one.example/SECRET-1', 'https://user:SECRET-2@two.example'],
  key: 'treasury',
  low_water: { token: '0.0000001', native: '50' },
  signing: { per_transaction: '1', per_day: '1' },
};
/** Another EVM network, with every possible field. */
export const BASE: Row = {
  ...POLYGON,
  name: 'Base',
  family: 'evm',
  asset: 'NGNC',
  token: TOKEN.toLowerCase(),
  decimals: 18,
  native: { asset: 'ETH', decimals: 18 },
  confirmations: 600,
  final_after_ms: 1_200_000,
  explorer_tx_url: 'https://basescan.org/tx/{hash}',
  agree_from: '0.000000000000000001',
  batch: 7,
  signing: {
    per_transaction: '2.5',
    per_day: '12345678901234567890',
    allow_list: [ONES, TOKEN.toLowerCase()],
  },
  chain_id: 8453,
  disperse: ONES,
  log_blocks: 1_000,
  stuck_after_ms: 30_000,
};
export const TEST_POLYGON: Row = {
  name: 'polygon',
  mode: 'test',
  rpc: ['http://127.0.0.1:8545'],
  token: ONES,
  decimals: 6,
  key: 'local',
  confirmations: 3,
  final_after_ms: 3_000,
  chain_id: 31_337,
  forwarder_factory: TWOS,
};

export const file = (rows: readonly unknown[], more: Row = {}) => JSON.stringify({ networks: rows, ...more });
export const parseOne = (row: Row) => parseNetworks(file([row])).networks[0]!;
export const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

/**
 * Returns the problems of this configuration text. Also checks that the error message shows no secret part of a provider URL.
 */
export function problemWith(text: string): string {
  try {
    parseNetworks(text);
  } catch (error) {
    assert.ok(error instanceof SettingsError, `${error}`);
    assert.doesNotMatch(error.message, /SECRET|two\.example|user:/);
    return error.problems.join('\n');
  }
  return assert.fail('it was taken');
}
export const refused = (row: Row): string => problemWith(file([row]));
