// The sandbox: a tester plays the bank and the networks. Test keys only.
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

  /** A payment arrives at a vendor account. */
  async bankCredit(body: SandboxBankCreditBody, options: IdempotentOptions = {}): Promise<BankCredit> {
    checkBody(body, 'sandbox.bankCredit');
    checkAmount(body.amount);
    return postOnce(this.#transport, { path: '/sandbox/v1/bank-credits', body }, options, 'bank_credit');
  }

  /** The bank reverses a payment. */
  async reverse(bankCreditId: string, options: IdempotentOptions = {}): Promise<{ readonly id: string }> {
    const path = `/sandbox/v1/bank-credits/${pathPart('bankCreditId', bankCreditId)}/reverse`;
    return postOnce(this.#transport, { path }, options, 'bank_credit');
  }

  /** The tokens of a sell arrive. */
  async deposit(body: SandboxDepositBody, options: IdempotentOptions = {}): Promise<SandboxDeposit> {
    checkBody(body, 'sandbox.deposit');
    if (body.amount !== undefined && body.amount !== null) checkAmount(body.amount);
    return postOnce(this.#transport, { path: '/sandbox/v1/deposits', body }, options, 'deposit');
  }
}
