// Lists the error examples that no request of a test causes, each with its source file and its text in that file.
import { BANK_SILENT, type InSource } from './example-checks.ts';

export const IN_SOURCE: readonly InSource[] = [
  [
    'initiateBuy unmatched_claims_reached',
    'app/intake/claim-limit.ts',
    [
      ' buys of this business expired without a payment in the last ',
      ' hours. ',
      'Submit a buy only when the customer pays. New buys are accepted again once the old ones are outside this window, ',
      'or when the operator lifts the limit.',
    ],
  ],
  [
    'initiateBuy amount_not_representable',
    'app/intake/submit-buy.ts',
    ['amount cannot be sent exactly on ', ': its token has only ', ' decimals. Use fewer decimals.'],
  ],
  [
    'initiateSell amount_not_representable',
    'app/intake/submit-sell.ts',
    [
      'amount cannot be sent exactly: the token has too few decimals on the possible networks. Use fewer decimals.',
    ],
  ],
  [
    'sandboxDeposit amount_not_representable',
    'app/sandbox/deposit-tokens.ts',
    [' cannot represent this amount exactly.'],
  ],
  [
    'sandboxDeposit network_not_simulated',
    'app/sandbox/deposit-tokens.ts',
    ['Tokens on ', ' are real here: send them to the deposit address.'],
  ],
  [
    'setWallet network_not_enabled',
    'app/input/field-rules.ts',
    ['network ', ' is not enabled in ', ' mode yet. ', 'Ask the operator.'],
  ],
  BANK_SILENT,
];
