// Opens the routes with which a tester controls the simulated bank and networks.
import { addSandboxRoutes } from '../../http/routes/sandbox.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function sandboxFeature({
  simulation: { sandbox },
  store,
  networks,
  clock,
  entropy,
  signals: { wakeFeeds },
}: ServiceParts): Feature {
  const deps = { sandbox, store, networks, clock, entropy, wakeFeeds };
  return {
    routes: [
      { server: 'main', add: (app, { authenticate }) => addSandboxRoutes(app, { ...deps, authenticate }) },
    ],
  };
}
