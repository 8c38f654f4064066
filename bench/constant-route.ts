// A route that always returns the same response. It shows the maximum speed that a route served from memory can reach.
import type { FastifyInstance } from 'fastify';

export function addConstant(app: FastifyInstance): void {
  const body = JSON.stringify({
    status: 'success',
    message: 'Constant.',
    VendorList: Array(3).fill({
      vendorName: 'Sandbox Vendor One',
      vendorNumber: '9900000011',
      vendorBank: 'Providus Bank',
    }),
  });
  app.get('/bench/constant', { schema: { hide: true } }, (_request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    reply.send(body);
  });
}
