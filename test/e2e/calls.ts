// Makes the HTTP calls of a tester: creates buys and sells, and simulates their payments and deposits.
import assert from 'node:assert/strict';
import { buyBody, sellBody, type TestBusiness, type TestService } from '../support/service.ts';
import type { Shown } from './settled.ts';

export const CREDITS = '/sandbox/v1/bank-credits';
export const DEPOSITS = '/sandbox/v1/deposits';
export const FAST = { SANDBOX_PACE_MS: '40' };
export const WALLET = { network: 'Polygon', wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };

let people = 0;
export function newCustomer(): { account_number: string; amount: number } {
  people++;
  return { account_number: `${7_000_000_000 + people * 7_919}`, amount: 30_000 + people };
}

interface By {
  readonly business?: TestBusiness;
  readonly headers?: Record<string, string>;
}

async function created(
  service: TestService,
  path: string,
  body: unknown,
  { business, headers }: By,
): Promise<Shown> {
  const answer = await service.post(path, body, {
    ...(business !== undefined && { key: business.testKey }),
    ...(headers !== undefined && { headers }),
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.transaction;
}

export function buy(
  service: TestService,
  changes: Record<string, unknown> = {},
  by: By = {},
): Promise<Shown> {
  const body = buyBody(by.business ?? service.business, changes);
  return created(service, '/transactions/v1/onramp', body, by);
}

export function sell(
  service: TestService,
  changes: Record<string, unknown> = {},
  by: By = {},
): Promise<Shown> {
  const body = sellBody(by.business ?? service.business, { ...WALLET, ...changes });
  return created(service, '/transactions/v1/offramp', body, by);
}

export function creditBody(
  transaction: Shown,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    vendor_number: transaction.link_account_number ?? '9900000011',
    amount: transaction.amount,
    payer_account_number: transaction.account_number,
    payer_bank_name: transaction.bank_name ?? 'GTBank',
    payer_name: transaction.account_name ?? 'ADAEZE OKAFOR',
    ...changes,
  };
}

export async function pay(
  service: TestService,
  transaction: Shown,
  changes: Record<string, unknown> = {},
  key?: string,
): Promise<string> {
  const answer = await service.post(
    CREDITS,
    creditBody(transaction, changes),
    key === undefined ? {} : { key },
  );
  assert.equal(answer.status, 200, answer.text);
  return answer.body.bank_credit.id;
}

export async function timelineOf(service: TestService, id: string): Promise<readonly Shown[]> {
  const answer = await service.get(`/transactions/v1/${id}/timeline`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.timeline;
}

export async function read(service: TestService, id: string): Promise<Shown> {
  return (await service.get(`/transactions/v1/${id}`)).body.transaction;
}

export function rows<Row extends Record<string, unknown>>(
  { foundation }: Pick<TestService, 'foundation'>,
  text: string,
  ...values: unknown[]
): Promise<Row[]> {
  return foundation.database.query<Row>({ text, values }).then((result) => result.rows);
}
