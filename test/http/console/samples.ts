// Contains a request for every console route, for the tests that call all routes. If a route has no sample, those tests fail:
// add the sample here.
import type { RegisteredRoute } from './browser.ts';

const NO_ID = '01m7h3n36yrgbnmfmbr9yjvyvd';

/** The ids do not exist unless a test sets others. */
const PARAMS: Readonly<Record<string, string>> = {
  business_id: `biz_${NO_ID}`,
  mode: 'test',
  transaction_id: `txn_${NO_ID}`,
  key_id: `key_${NO_ID}`,
  person_id: `per_${NO_ID}`,
  invitation_id: `inv_${NO_ID}`,
  session_id: `ses_${NO_ID}`,
  credential_id: 'no-passkey',
  sign_up_id: `sgn_${NO_ID}`,
  record_id: `crd_${NO_ID}`,
  proposal_id: `prp_${NO_ID}`,
  vendor_id: `vnd_${NO_ID}`,
  account_id: '2000000000',
  product: 'otc_buy',
  endpoint_id: `whe_${NO_ID}`,
  delivery_id: `whd_${NO_ID}`,
  request_id: `req_${NO_ID}`,
  quote_id: `quo_${NO_ID}`,
  rail: 'no-such-rail',
  route_id: '2000000000',
  bank_account: '058:0000000000',
  day: '2026-11-16',
  month: '2026-11',
  file_id: `stf_${NO_ID}`,
};

const pending = 'no-such-pending-sign-in';
const token = 'no-such-token';
const factor = { kind: 'totp', code: '000000' };
const reason = 'as agreed';
const answer = { id: 'no-passkey' };
const ROUTE = { rail: 'no-such-rail', priority: 1, weight: 1, enabled: true };
const NAIRA_MOVE = {
  ...{ mode: 'test', kind: 'put_in', account: '000:0000000000', amount: '1000', day: '2026-11-16' },
  reference: 'walk',
};

const BODIES: Readonly<Record<string, object>> = {
  'POST /console/v1/sign-in': { email: 'unknown@console.test', password: 'not the password' },
  'POST /console/v1/sign-in/second-factor': { pending, factor },
  'POST /console/v1/sign-in/passkey-options': { pending },
  'POST /console/v1/sign-in/totp': { pending },
  'POST /console/v1/sign-in/totp/confirm': { pending, code: '000000' },
  'POST /console/v1/sign-in/passkey': { pending },
  'POST /console/v1/sign-in/passkey/confirm': { pending, answer, name: 'Key' },
  'POST /console/v1/sign-ups': { business_name: 'Walk', link_tag: 'UPPER', email: 'walk@console.test' },
  'POST /console/v1/password-resets': { email: 'unknown@console.test' },
  'POST /console/v1/password-resets/complete': { token, password: 'eleven green bottles' },
  'POST /console/v1/invitations/read': { token },
  'POST /console/v1/invitations/accept': { token, name: 'Ada', password: 'eleven green bottles' },
  'POST /console/v1/invitations/accept-signed-in': { token },
  'POST /console/v1/password': { current: 'not the password', next: 'short' },
  'POST /console/v1/second-factors/totp/confirm': { code: '000000' },
  'POST /console/v1/second-factors/passkeys': { answer, name: 'Key' },
  'POST /console/v1/step-ups': { subject_id: 'prp_x', factor },
  'POST /console/v1/step-ups/passkey-options': { subject_id: 'prp_x' },
  'PUT /console/v1/businesses/:business_id/default-wallet': { mode: 'test' },
  'POST /console/v1/businesses/:business_id/keys': { mode: 'test', name: 'Shop', scope: 'read' },
  'PUT /console/v1/businesses/:business_id/keys/:key_id/name': { name: 'Shop' },
  'POST /console/v1/businesses/:business_id/transactions/test': { kind: 'buy', amount: '1' },
  'POST /console/v1/businesses/:business_id/quotes/:mode': { side: 'buy', amount: '0' },
  'POST /console/v1/businesses/:business_id/transactions/:mode/:transaction_id/wallet': {
    ...{ network: 'Polygon', wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  },
  'POST /console/v1/businesses/:business_id/keys/:key_id/roll': { overlap_hours: 1 },
  'PUT /console/v1/businesses/:business_id/members/:person_id/role': { role: 'viewer' },
  'POST /console/v1/businesses/:business_id/invitations': { email: 'no address', role: 'viewer' },
  'POST /console/v1/businesses/:business_id/webhooks/:mode/endpoints': {
    url: 'ftp://x',
    events: ['transaction.*'],
    description: 'd',
  },
  'PUT /console/v1/businesses/:business_id/webhooks/:mode/endpoints/:endpoint_id': {
    ...{ url: 'https://hooks.example/x', events: [], description: 'd', state: 'enabled' },
  },
  'POST /console/v1/businesses/:business_id/webhooks/:mode/endpoints/:endpoint_id/rotate': {
    overlap_hours: 1,
  },
  'POST /console/v1/businesses/:business_id/webhooks/:mode/endpoints/:endpoint_id/test': {
    type: 'transaction.completed',
  },
  'POST /console/v1/businesses/:business_id/webhooks/:mode/endpoints/:endpoint_id/redeliver': {
    ...{ from: '2026-11-14T09:00:00Z', to: '2026-11-14T10:00:00Z', events: [], cursor: 'evt_none' },
  },
  'POST /console/v1/businesses/:business_id/webhooks/:mode/endpoints/:endpoint_id/recover': {
    ...{ since: '2026-11-14T09:00:00Z', cursor: 'evt_none' },
  },
  'PUT /console/v1/operator/people/:person_id/role': { role: 'auditor' },
  'PUT /console/v1/operator/people/:person_id/disabled': { disabled: true },
  'POST /console/v1/operator/invitations': { email: 'no address', role: 'auditor' },
  'POST /console/v1/operator/transactions/:transaction_id/reject': {
    public_reason: 'declined',
    note: reason,
  },
  'POST /console/v1/operator/reviews/preview': { action: 'release', subject_id: `txn_${NO_ID}` },
  'POST /console/v1/operator/proposals/reviews': { action: 'release', subject_id: `txn_${NO_ID}` },
  'POST /console/v1/operator/proposals/withdrawals': {
    ...{ mode: 'test', network: 'Nowhere', address: '0x0', amount: '1500.50' },
  },
  'POST /console/v1/operator/proposals/:proposal_id/approve': { reason },
  'POST /console/v1/operator/proposals/:proposal_id/decline': { reason },
  'POST /console/v1/operator/proposals/:proposal_id/withdraw': { reason },
  'POST /console/v1/operator/settings/vendors': { mode: 'test', name: 'V', number: '12', bank: 'None' },
  'PUT /console/v1/operator/settings/vendors/:vendor_id/name': { name: 'Vendor' },
  'PUT /console/v1/operator/settings/vendors/:vendor_id/source': { source: 'statements' },
  'PUT /console/v1/operator/settings/vendors/:vendor_id/enabled': { enabled: false },
  'POST /console/v1/operator/settings/fees': {
    ...{ mode: 'test', business_id: `biz_${NO_ID}`, product: 'buy', flat: '10', fee_bps: 5 },
  },
  'POST /console/v1/operator/settings/limits': { mode: 'test', business_id: `biz_${NO_ID}` },
  'POST /console/v1/operator/settings/freezes': { business_id: `biz_${NO_ID}`, mode: 'test', reason },
  'POST /console/v1/operator/settings/freezes/lift': { business_id: `biz_${NO_ID}`, mode: 'test', reason },
  'POST /console/v1/operator/settings/movements/resume': { reason },
  'POST /console/v1/operator/movements/pause': { reason },
  'PUT /console/v1/operator/rates/:mode/:product': { prices: { USD: '0' }, valid_for_hours: 1 },
  'POST /console/v1/operator/rates/:mode/:product/withdraw': { currencies: ['USD'] },
  'POST /console/v1/operator/rails/:mode/:rail/pause': { reason },
  'POST /console/v1/operator/rails/:mode/:rail/resume': { reason },
  'POST /console/v1/operator/rails/:mode/:rail/trust': { reason },
  'PUT /console/v1/operator/rails/:mode/:rail/cap': { per_day: '1000000' },
  'POST /console/v1/operator/rail-routes/:mode': ROUTE,
  'PUT /console/v1/operator/rail-routes/:mode/:route_id': ROUTE,
  'POST /console/v1/operator/reconciliation/:mode/runs': { account: '058:0000000000' },
  'PUT /console/v1/operator/holidays/:day': { name: 'Walk', provisional: true },
  'POST /console/v1/operator/naira/preview': NAIRA_MOVE,
  'POST /console/v1/operator/proposals/naira': NAIRA_MOVE,
  'PUT /console/v1/operator/spreads': { mode: 'test', product: 'otc_buy', spread_bps: 100 },
  'PUT /console/v1/operator/businesses/:business_id/tier': { tier: 'gold' },
  'POST /console/v1/operator/privacy/plan': { mode: 'test', account_number: '0000000019' },
  'POST /console/v1/operator/privacy/erasures': { mode: 'test', account_number: '0000000019' },
  'POST /console/v1/operator/privacy/export': { mode: 'test', account_number: '0000000019' },
};

const QUERIES: Readonly<Record<string, string>> = {
  'GET /console/v1/operator/rates/:mode/:product/history': '?currency=USD',
  'GET /console/v1/operator/rates/:mode/:product/judged': '?USD=1361.5',
  'GET /console/v1/businesses/:business_id/rates/:mode/:product/history': '?currency=USD',
};

const BODILESS = new Set([
  'POST /console/v1/sign-out',
  'POST /console/v1/sign-out-everywhere',
  'POST /console/v1/second-factors/totp',
  'POST /console/v1/second-factors/passkeys/options',
  'POST /console/v1/second-factors/recovery-codes',
  'POST /console/v1/businesses/:business_id/leave',
  'POST /console/v1/businesses/:business_id/webhooks/:mode/deliveries/:delivery_id/redeliver',
  'POST /console/v1/businesses/:business_id/transactions/test/:transaction_id/pay',
  'POST /console/v1/businesses/:business_id/transactions/test/:transaction_id/deposit',
  'POST /console/v1/businesses/:business_id/transactions/test/:transaction_id/reverse',
  'POST /console/v1/businesses/:business_id/transactions/:mode/:transaction_id/cancel',
  'POST /console/v1/operator/people/:person_id/reset',
  'POST /console/v1/operator/sign-ups/:sign_up_id/approve',
  'POST /console/v1/operator/sign-ups/:sign_up_id/decline',
  'POST /console/v1/operator/audit/verify',
  // The body of this route is a file instead of JSON; see test/http/console/statements.test.ts.
  'POST /console/v1/operator/statements/:mode',
  'POST /console/v1/operator/statements/:mode/every-account',
  'POST /console/v1/operator/statements/:mode/:file_id/confirm',
]);

export interface Sample {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

export function sampleOf(
  { method, url }: Pick<RegisteredRoute, 'method' | 'url'>,
  params: Readonly<Record<string, string>> = {},
): Sample {
  const name = `${method} ${url}`;
  const path = url.replaceAll(/:(\w+)/g, (_, param: string) => {
    const value = params[param] ?? PARAMS[param];
    if (value === undefined) throw new Error(`${name} has a parameter without a sample: ${param}`);
    return value;
  });
  if (method === 'GET' || method === 'DELETE') return { method, path: path + (QUERIES[name] ?? '') };
  const body = BODIES[name] ?? (BODILESS.has(name) ? {} : undefined);
  if (body === undefined)
    throw new Error(`${name} has no sample: add its body to test/http/console/samples.ts`);
  return { method, path, body };
}
