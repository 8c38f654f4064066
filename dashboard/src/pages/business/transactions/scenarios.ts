// The scenarios of the sandbox in words, and for what they are (docs/sandbox.md).

interface Scenario {
  readonly name: string;
  readonly label: string;
  readonly kinds: readonly ('buy' | 'sell')[];
}

const BOTH = ['buy', 'sell'] as const;

export const SCENARIOS: readonly Scenario[] = [
  { name: 'paid', label: 'Everything goes well', kinds: BOTH },
  { name: 'underpaid', label: 'Too little arrives', kinds: BOTH },
  { name: 'overpaid', label: 'Too much arrives', kinds: BOTH },
  { name: 'late', label: 'It arrives after the expiry', kinds: ['buy'] },
  { name: 'deposit_late', label: 'The tokens arrive after the expiry', kinds: ['sell'] },
  { name: 'duplicate', label: 'The same payment is reported twice', kinds: BOTH },
  { name: 'name_mismatch', label: 'Another person pays', kinds: ['buy'] },
  { name: 'reversed', label: 'The bank takes the payment back', kinds: ['buy'] },
  { name: 'send_fails', label: 'The network refuses the tokens', kinds: ['buy'] },
  { name: 'send_unknown', label: 'The network does not say what happened', kinds: ['buy'] },
  { name: 'send_dropped', label: 'The network forgets the transfer', kinds: ['buy'] },
  { name: 'send_reorganised', label: 'The network reorganises', kinds: ['buy'] },
  { name: 'no_trustline', label: 'The wallet cannot take the token yet', kinds: ['buy'] },
  { name: 'deposit_split', label: 'The tokens arrive in two parts', kinds: ['sell'] },
  { name: 'payout_fails', label: 'The bank refuses the payout', kinds: ['sell'] },
  { name: 'payout_unknown', label: 'The bank does not say what happened', kinds: ['sell'] },
  { name: 'payout_name_mismatch', label: 'The account has another name', kinds: ['sell'] },
  { name: 'payout_returned', label: 'The bank returns the payout', kinds: ['sell'] },
];
