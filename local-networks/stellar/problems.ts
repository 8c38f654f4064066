// Horizon's refusals: problem+json bodies with the types, titles and statuses of the real Horizon.
import { horizonCodes, type TransactionVerdict, verdictXdr } from './results.ts';

export interface HorizonProblem {
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly extras?: Record<string, unknown>;
}

export class ProblemError extends Error {
  readonly problem: HorizonProblem;
  constructor(problem: HorizonProblem) {
    super(problem.title);
    this.problem = problem;
  }
}

export function problemBody(problem: HorizonProblem) {
  return { ...problem, type: `https://stellar.org/horizon-errors/${problem.type}` };
}

export const notFoundProblem = (): HorizonProblem => ({
  status: 404,
  type: 'not_found',
  title: 'Resource Missing',
  detail: 'The resource at the url requested was not found.',
});

export const badRequestProblem = (field: string, reason: string): HorizonProblem => ({
  status: 400,
  type: 'bad_request',
  title: 'Bad Request',
  detail: 'The request you sent was invalid in some way.',
  extras: { invalid_field: field, reason },
});

export const malformedTransactionProblem = (envelopeXdr: string): HorizonProblem => ({
  status: 400,
  type: 'transaction_malformed',
  title: 'Transaction Malformed',
  detail: 'Horizon could not decode the transaction envelope in this request.',
  extras: { envelope_xdr: envelopeXdr },
});

export const failedTransactionProblem = (
  hash: string,
  envelopeXdr: string,
  verdict: TransactionVerdict,
): HorizonProblem => ({
  status: 400,
  type: 'transaction_failed',
  title: 'Transaction Failed',
  detail: 'The transaction failed when submitted to the stellar network.',
  extras: {
    hash,
    envelope_xdr: envelopeXdr,
    result_codes: horizonCodes(verdict),
    result_xdr: verdictXdr(verdict),
  },
});

export const timeoutProblem = (hash: string, envelopeXdr: string): HorizonProblem => ({
  status: 504,
  type: 'timeout',
  title: 'Timeout',
  detail: 'Your request timed out before completing. The transaction may still be included in a ledger.',
  extras: { hash, envelope_xdr: envelopeXdr },
});

const BY_STATUS: Record<number, readonly [string, string]> = {
  429: ['rate_limit_exceeded', 'Rate Limit Exceeded'],
  500: ['server_error', 'Internal Server Error'],
  502: ['bad_gateway', 'Bad Gateway'],
  503: ['stale_history', 'Historical DB Is Too Stale'],
  504: ['timeout', 'Timeout'],
};

export function plainProblem(status: number): HorizonProblem {
  const [type, title] = BY_STATUS[status] ?? ['server_error', 'Internal Server Error'];
  return { status, type, title, detail: title };
}
