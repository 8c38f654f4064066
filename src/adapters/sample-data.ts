// What test mode starts with: made-up vendor accounts and sample rates. Live mode never sees any of it.
import type { Currency } from '../domain/rates.ts';

export const SAMPLE_VENDORS = [
  { name: 'Sandbox Vendor One', number: '9900000011', bank: 'Providus Bank' },
  { name: 'Sandbox Vendor Two', number: '9900000028', bank: 'Wema Bank' },
  { name: 'Sandbox Vendor Three', number: '9900000035', bank: 'Sterling Bank' },
] as const;

/** Naira per unit, 11 June 2026; a sample to integrate against, not a quote. */
export const SAMPLE_RATES: Readonly<Record<Currency, string>> = {
  USD: '1361.5',
  GBP: '1826.5',
  EUR: '1576.3',
  TRY: '29.46',
  CNY: '200.93',
  CHF: '1712.6',
  CAD: '975.1',
  AED: '370.69',
  KES: '10.5',
};
export const SAMPLE_SPREAD_BPS = { otc_buy: 100, usdc_ngnc: 50 } as const;
