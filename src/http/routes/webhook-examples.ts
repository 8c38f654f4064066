// Examples for the webhook routes in the OpenAPI document.

export const ENDPOINT_EXAMPLE = {
  id: 'whe_01kfz3p2r8k4t6m1v7x9c3b5nd',
  url: 'https://shop.example.com/webhooks',
  events: ['transaction.completed', 'refund.completed'],
  description: 'Orders',
  mode: 'test',
  state: 'enabled',
  disabled_reason: null,
  public_key: 'whpk_pIIo8bMnWRKhlSMbfwzBKfQQ6zKfVYfoUwlKTIcBFn0=',
  failing_since: null,
  last_success_at: '2026-11-14T09:31:00.000Z',
  created_at: '2026-11-14T09:30:00.000Z',
  updated_at: '2026-11-14T09:30:00.000Z',
};
export const SECRET_EXAMPLE = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDfnXX0GqFTwA=';

export const DELIVERY_EXAMPLE = {
  id: 'whd_01kfz3q5w9n2r4x6c8v1b3m7kf',
  endpoint_id: ENDPOINT_EXAMPLE.id,
  event_id: 'evt_01kfz3p2r8k4t6m1v7x9c3b5nd_5',
  event_type: 'transaction.completed',
  state: 'delivered',
  reason: null,
  attempts_made: 1,
  next_attempt_at: null,
  created_at: '2026-11-14T09:31:00.000Z',
  updated_at: '2026-11-14T09:31:00.120Z',
};

export const PENDING_DELIVERY_EXAMPLE = {
  ...DELIVERY_EXAMPLE,
  state: 'pending',
  attempts_made: 0,
  next_attempt_at: '2026-11-14T09:31:00.000Z',
  updated_at: '2026-11-14T09:31:00.000Z',
};

export const DELIVERY_DETAIL_EXAMPLE = {
  ...DELIVERY_EXAMPLE,
  attempts: [
    {
      no: 1,
      at: '2026-11-14T09:31:00.010Z',
      duration_ms: 84,
      status: 200,
      outcome: 'succeeded',
      error: null,
      answer: 'ok',
    },
  ],
  request: {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Sliproad/1.0.0',
      'webhook-id': DELIVERY_EXAMPLE.event_id,
      'webhook-timestamp': '1794648660',
    },
    body: `{"id":"${DELIVERY_EXAMPLE.event_id}","type":"transaction.completed","timestamp":"2026-11-14T09:31:00.000Z","mode":"test","sequence":5,"data":{}}`,
  },
};
