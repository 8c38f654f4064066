// The sandbox, in which a tester controls the simulated bank and networks. It needs a test key.
import type {
  SandboxBankCreditAnswer,
  SandboxBankCreditBody,
  SandboxDepositAnswer,
  SandboxDepositBody,
} from '../api-types.ts';
import { pathPart, type Transport } from '../transport/transport.ts';
import { checkAmount, checkBody, type IdempotentOptions, postOnce } from './requests-to-make.ts';

export type BankCredit = SandboxBankCreditAnswer['bank_credit'];
export type SandboxDeposit = SandboxDepositAnswer['deposit'];

export class Sandbox {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Simulates a payment into a vendor account. */
  async bankCredit(body: SandboxBankCreditBody, options: IdempotentOptions = {}): Promise<BankCredit> {
    checkBody(body, 'sandbox.bankCredit');
    checkAmount(body.amount);
    return postOnce(this.#transport, { path: '/sandbox/v1/bank-credits', body }, options, 'bank_credit');
  }

  /** Simulates the reversal of a payment by the bank. */
  async reverse(bankCreditId: string, options: IdempotentOptions = {}): Promise<{ readonly id: string }> {
    const path = `/sandbox/v1/bank-credits/${pathPart('bankCreditId', bankCreditId)}/reverse`;
    return postOnce(this.#transport, { path }, options, 'bank_credit');
  }

  /** Simulates the arrival of the tokens of a sell. */
  async deposit(body: SandboxDepositBody, options: IdempotentOptions = {}): Promise<SandboxDeposit> {
    checkBody(body, 'sandbox.deposit');
    if (body.amount !== undefined && body.amount !== null) checkAmount(body.amount);
    return postOnce(this.#transport, { path: '/sandbox/v1/deposits', body }, options, 'deposit');
  }
}
