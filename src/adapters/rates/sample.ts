// Sample rates for test mode: naira per unit on 11 June 2026. Something to integrate against, never a quote; live mode
// does not see them.
import type { RateSource } from '../../ports/rates.ts';

export const sampleRates: RateSource = {
  name: 'sample',
  quotes: async () => ({
    asOfMs: null,
    values: {
      USD: '1361.5',
      GBP: '1826.5',
      EUR: '1576.3',
      TRY: '29.46',
      CNY: '200.93',
      CHF: '1712.6',
      CAD: '975.1',
      AED: '370.69',
      KES: '10.5',
    },
  }),
};
