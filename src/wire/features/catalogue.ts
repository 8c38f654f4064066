// What businesses read of the catalogue: the vendors and the banks.
import { addBankRoutes } from '../../http/routes/banks.ts';
import { addVendorRoutes } from '../../http/routes/vendors.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function catalogueFeature({ banks }: ServiceParts): Feature {
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => {
          addVendorRoutes(app, authenticate);
          addBankRoutes(app, authenticate, banks);
        },
      },
    ],
  };
}
