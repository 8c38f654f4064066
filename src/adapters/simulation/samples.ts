// The vendors and rates of the sandbox.
import { REFERENCE_RATES } from '../../domain/rates/bounds.ts';

export const SAMPLE_VENDORS = [
  { name: 'Sandbox Vendor One', number: '9900000011', bank: 'Providus Bank' },
  { name: 'Sandbox Vendor Two', number: '9900000028', bank: 'Wema Bank' },
  { name: 'Sandbox Vendor Three', number: '9900000035', bank: 'Sterling Bank' },
] as const;

/**
 * Sample rates for test mode. They are for integration tests only. Live mode does not use them, and they are never used as a
 * quote.
 */
export const SAMPLE_RATES = REFERENCE_RATES;
