// What businesses read of the catalogue: the vendors and the rates.
import { addOtcRateRoute, addUsdcRateRoute } from '../../http/routes/rates.ts';
import { addVendorRoutes } from '../../http/routes/vendors.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function catalogueFeature({ clock, urls }: ServiceParts): Feature {
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => {
          addVendorRoutes(app, authenticate);
          addUsdcRateRoute(app, authenticate, clock);
        },
      },
      {
        server: 'otc',
        add: (app, { authenticate }) => addOtcRateRoute(app, authenticate, clock, urls.otc),
      },
    ],
  };
}
