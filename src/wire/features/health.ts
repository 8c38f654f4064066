// Opens the routes about the service itself: liveness, readiness and metrics.
import type { Config } from '../../config.ts';
import { addServiceRoutes, type ServiceRouteDeps } from '../../http/routes/service.ts';
import type { Feature, ServiceParts } from '../feature.ts';
import { isLocalOnly } from '../public-urls.ts';

export function healthFeature({ config, database, metrics, isDraining }: ServiceParts): Feature {
  const deps = {
    metrics,
    metricsAccess: metricsAccess(config),
    notReadyBecause: async () => {
      if (isDraining()) return 'The service is shutting down.';
      return database.query({ text: 'select 1' }).then(
        () => undefined,
        () => 'The database does not answer.',
      );
    },
  };
  return {
    routes: [{ server: 'main', add: (app, { publicly }) => addServiceRoutes(app, { ...deps, publicly }) }],
  };
}

function metricsAccess(config: Config): ServiceRouteDeps['metricsAccess'] {
  if (config.metricsToken !== null) return { token: config.metricsToken };
  return isLocalOnly(config) ? { host: config.host } : 'closed';
}
