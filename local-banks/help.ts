// The output of `npm run banks -- --help`, and the output after the banks have started.
import {
  ACCOUNT_FAULTS,
  BANK_OPERATIONS,
  LAG_FAULTS,
  MONEY_FAULTS,
  NOTICE_FAULTS,
  OUTCOME_FAULTS,
  TRANSPORT_FAULTS,
} from './faults/kinds.ts';
import { MAGIC_NUMBERS } from './faults/magic-numbers.ts';
import type { LocalBanks } from './start.ts';

const magic = Object.entries(MAGIC_NUMBERS)
  .map(([number, { about }]) => `  ${number}  ${about}`)
  .join('\n');

export const USAGE = `Usage: npm run banks -- [--dir DIRECTORY] [--base-port PORT]

Starts three payout providers on this machine, in the shapes of their public documentation: a bank with a NIP posting API
(as Providus has it), Paystack and Monnify. No money moves anywhere. What they booked stays in the directory: started there
again, they go on where they were.

  --dir DIRECTORY   where the journal, the secrets and banks.json go; .local-banks unless given
  --base-port PORT  the control port, followed by those of the three; 8700 unless given

Accounts. Any ten digits at a known bank are an account, whose owner has an invented name, always the same. POST /accounts
gives it another: with bankCode at that bank, without bankCode at every bank. Providus takes its transfer fee, value added tax and
stamp duty with every payout; Paystack and Monnify take nothing.

Account numbers that always meet trouble, at every bank:

${magic}

The control port speaks JSON. Amounts are naira as text; rail is providus, paystack or monnify.

  GET    /                what runs where
  GET    /books           balances, payouts and credits: the truth, whatever an answer said
  GET    /statements/RAIL/NUMBER, and /FROM/TO behind it
                          the statement of one of our accounts as CSV, with charges and reversals as rows
  POST   /pay-in          {rail, accountNumber, amount, narration, payer: {accountNumber, name, bankCode, shown?}, fee?,
                          due?}: due is what was to be paid, if the fields of the provider must disagree
                          a customer pays into one of our accounts; shown: usual, full, blank or null
  POST   /reverse         {rail, reference}: a payout comes back
  POST   /take-back       {rail, creditId or sessionId}: the payer's bank takes a credit back
  POST   /top-up          {rail, amount}
  POST   /accounts        {bankCode?, number, name, state?}: state is open, dormant or unknown
                          {rail, bankCode, number, name}: one more account of ours
  PUT    /webhooks        {rail, url}: null for none
  PUT    /validation      {rail: "monnify", url}: asked before every payout
  GET    /faults
  POST   /faults          {kind, rail?, operation?, account?, reference?, times?, forSeconds?, probability?, seed?,
                          seconds?, value?, worked?}
  DELETE /faults          all of them; /faults/ID one

Kinds of faults. A fault meets one request unless times, forSeconds or probability (with a seed) says otherwise.

  connection  ${wrapWords(TRANSPORT_FAULTS)}
              those with an error page or without an answer before the work leave it undone, unless worked is true
  payout      ${wrapWords(OUTCOME_FAULTS)}
              seconds: after how long; word: any status word of the provider as value
  account     ${wrapWords(ACCOUNT_FAULTS)}
  money       ${wrapWords(MONEY_FAULTS)}, wrong-balance (value: naira)
  status      not-found
  lags        ${wrapWords(LAG_FAULTS)}: what is younger than so many seconds is not shown
  webhooks    ${wrapWords(NOTICE_FAULTS)}
  operations  ${wrapWords(BANK_OPERATIONS)}, * for all`;

function wrapWords(words: readonly string[]): string {
  const half = Math.ceil(words.length / 2);
  if (words.length < 7) return words.join(', ');
  return `${words.slice(0, half).join(', ')},\n              ${words.slice(half).join(', ')}`;
}

export function describeLocalBanks({ control, paystack, rails, environment }: LocalBanks): string {
  const rows = rails.map(({ name, account, options }) => {
    const url = String(options.base_url);
    return `${name.padEnd(16)}${url}  pays from ${account.number} at ${account.bank_code}`;
  });
  const { bankCode, number } = paystack.account;
  return `
${rows.join('\n')}
${'Control'.padEnd(16)}${control}
${'Files'.padEnd(16)}${environment.BANKS_FILE}

They run until Ctrl-C, and remember what they booked. The service, in another terminal, on local networks as well (npm run networks):

npm start -- --banks local --networks local

Paystack reports what is paid into account ${number} at ${bankCode} (Wema Bank): make it the account of a live vendor. A customer pays:

curl -s ${control}/pay-in -d '{"rail": "paystack", "accountNumber": "${number}", "amount": "15000.00",
  "narration": "a buy", "payer": {"accountNumber": "0123456785", "name": "ADAEZE OKAFOR", "bankCode": "058"}}'

What each bank has booked: curl -s ${control}/books
Faults and account numbers to try: npm run banks -- --help
`;
}
