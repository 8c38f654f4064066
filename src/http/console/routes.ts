// All routes of the console. A new one is added to the list of its subject, and is then guarded, documented and walked by the
// test of roles.
import type { ConsoleRoute } from './route.ts';
import { auditRoutes } from './routes/audit.ts';
import { businessRoutes } from './routes/business.ts';
import { firstFactorRoutes } from './routes/first-factor.ts';
import { invitationRoutes } from './routes/invitations.ts';
import { keyRoutes } from './routes/keys.ts';
import { memberRoutes } from './routes/members.ts';
import { operatorBusinessRoutes } from './routes/operator-businesses.ts';
import { operatorPeopleRoutes } from './routes/operator-people.ts';
import { proposalRoutes } from './routes/proposals.ts';
import { providerRoutes } from './routes/provider.ts';
import { reviewRoutes } from './routes/reviews.ts';
import { secondFactorRoutes } from './routes/second-factors.ts';
import { sessionRoutes } from './routes/session.ts';
import { settingRoutes } from './routes/settings.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { signUpRoutes } from './routes/sign-up.ts';
import { stopRoutes } from './routes/stops.ts';

export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [
  ...signInRoutes,
  ...providerRoutes,
  ...firstFactorRoutes,
  ...signUpRoutes,
  ...invitationRoutes,
  ...sessionRoutes,
  ...secondFactorRoutes,
  ...businessRoutes,
  ...keyRoutes,
  ...memberRoutes,
  ...operatorBusinessRoutes,
  ...operatorPeopleRoutes,
  ...reviewRoutes,
  ...proposalRoutes,
  ...settingRoutes,
  ...stopRoutes,
  ...auditRoutes,
];
