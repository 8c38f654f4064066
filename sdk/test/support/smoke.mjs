// What every runtime must be able to do, written only with web standards: the same file runs in Node, Deno, Bun and in a context
// that has nothing else. The server breaks the connection of the first buy and of the first stream.

export async function smoke({ Sliproad, SliproadError, signTestEvent, verifyWebhook, testEvent }, baseUrl) {
  const sliproad = new Sliproad({ secretKey: 'sk_test_1', baseUrl, businessId: 'biz_1', linkTag: 'acme' });
  const done = [];

  const vendor = { vendorName: 'One', vendorNumber: '9900000011', vendorBank: 'Providus Bank' };
  const buy = await sliproad.buy({
    amount: 15000,
    account_number: '0123456785',
    bank_name: 'GTBank',
    vendor,
  });
  done.push(`bought ${buy.transaction_id}`);

  const ids = [];
  for await (const { id } of sliproad.events.stream({ after: 'evt_00001_1' })) if (ids.push(id) === 4) break;
  done.push(`streamed ${ids.join(' ')}`);

  const secrets = [
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    'whsk_nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=',
  ];
  const publicKey = 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';
  const { payload, headers } = await signTestEvent({ secret: secrets, type: 'transaction.completed' });
  for (const secret of [secrets[0], publicKey]) {
    const { type } = await verifyWebhook({ payload, headers: new Headers(headers), secret });
    const wrong = await verifyWebhook({ payload: `${payload} `, headers, secret }).catch((error) => error);
    done.push(`${type} ${wrong instanceof SliproadError && wrong.code}`);
  }
  done.push(testEvent('refund.completed').data.refund.state);

  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), 50);
  const stopped = await sliproad.requests.get('hang', { signal: stop.signal }).catch((error) => error);
  done.push(stopped.message);
  return done.join(', ');
}
