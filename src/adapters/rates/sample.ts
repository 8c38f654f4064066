// Sample rates for test mode: something to integrate against, never a quote; live mode does not see them.
import { REFERENCE_RATES } from '../../domain/rates/bounds.ts';

export const SAMPLE_RATES = REFERENCE_RATES;
