// The log of requests: written after the answers of both ports, read by the business, deleted when it is old.
import { makeRequestLog } from '../../adapters/postgres/requests/request-log.ts';
import { keepRequests } from '../../http/requests/keep-requests.ts';
import { addRequestRoutes } from '../../http/routes/requests.ts';
import { forgetRequests } from '../../workers/requests/forget-requests.ts';
import { writeRequestLog } from '../../workers/requests/write-request-log.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function requestsFeature({ database, clock, config, metrics, onError }: ServiceParts): Feature {
  const requestLog = makeRequestLog(database);
  const writer = writeRequestLog({ requestLog, instruments: metrics, onError });
  const { record, flush } = writer;
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => {
          keepRequests(app, { record, clock });
          addRequestRoutes(app, { requestLog, flush, authenticate });
        },
      },
      { server: 'otc', add: (app) => keepRequests(app, { record, clock }) },
    ],
    loops: [writer, forgetRequests({ requestLog, clock, onError }, config.requestLogKeepMs)],
  };
}
