// Transaction validation: before Monnify pays, it asks the endpoint of the merchant. Monnify pays only after a clear APPROVE.
// After REJECT, a time-out, an error or anything else it does not pay. Documented are the sequence, the words APPROVE and
// REJECT, the retries, and that Monnify does not pay after a time-out or an error. The public text does not contain the field
// names, so both sides are guesses. The request repeats the disbursement, and the bank reads the response from any of the
// fields below.
import { createHmac } from 'node:crypto';
import type { TransferOrder } from '../books/bank.ts';
import { bankByNip, cbnCodeOf } from '../books/known-banks.ts';
import { nairaNumber } from '../books/money.ts';
import type { Faults } from '../faults/faults.ts';
import { monnifyIsoTime } from './answers.ts';

const ANSWER_FIELDS = ['action', 'decision', 'status', 'response', 'responseMessage', 'validationStatus'];
const ATTEMPTS = 2;
const PATIENCE_MS = 3_000;

export interface ValidationContext {
  readonly url: string;
  readonly secretKey: string;
  readonly sourceAccount: string;
  readonly now: number;
  readonly faults: Faults;
}

export async function askForApproval(order: TransferOrder, asking: ValidationContext): Promise<boolean> {
  const { number: account, reference } = order;
  const asked = { rail: 'monnify', operation: 'validation', account, reference } as const;
  if (asking.faults.take(['timeout-before', 'cut-before'], asked) !== undefined) return false;
  const text = JSON.stringify(validationRequestOf(order, asking));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const answer = await postQuestion(text, asking);
    if (answer !== undefined) return answer === 'APPROVE';
  }
  return false;
}

function validationRequestOf(
  { reference, amountKobo, nip, number, name, narration }: TransferOrder,
  { sourceAccount, now }: ValidationContext,
) {
  const known = bankByNip(nip);
  return {
    reference,
    amount: nairaNumber(amountKobo),
    currency: 'NGN',
    narration,
    sourceAccountNumber: sourceAccount,
    destinationAccountNumber: number,
    destinationAccountName: name,
    destinationBankCode: known === undefined ? nip : cbnCodeOf(known),
    destinationBankName: known?.name ?? '',
    requestedOn: monnifyIsoTime(now),
  };
}

/** Undefined means that the endpoint sent no response, so the bank sends the request again. */
async function postQuestion(
  text: string,
  { url, secretKey }: ValidationContext,
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: text,
      headers: {
        'content-type': 'application/json',
        'monnify-signature': createHmac('sha512', secretKey).update(text).digest('hex'),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body = (await response.json()) as Record<string, unknown> | string;
    if (response.status !== 200) return undefined;
    if (typeof body === 'string') return body;
    const found = ANSWER_FIELDS.map((field) => body[field]).find(
      (value) => value === 'APPROVE' || value === 'REJECT',
    );
    return typeof found === 'string' ? found : 'unclear';
  } catch {
    return undefined;
  }
}
