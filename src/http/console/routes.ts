// Lists all routes of the console. Add a new route to the list of its subject. The service then guards and documents the route,
// and the role test covers it.
import type { ConsoleRoute } from './route.ts';
import { activityRoutes } from './routes/business/activity.ts';
import { firstBuyRoutes } from './routes/business/first-buy.ts';
import { keyRoutes } from './routes/business/keys.ts';
import { memberRoutes } from './routes/business/members.ts';
import { networkRoutes } from './routes/business/networks.ts';
import { businessRoutes } from './routes/business/overview.ts';
import { quoteRoutes } from './routes/business/quotes.ts';
import { requestRoutes } from './routes/business/requests.ts';
import { transactionPartRoutes } from './routes/business/transaction-parts.ts';
import { transactionStepRoutes } from './routes/business/transaction-steps.ts';
import { transactionRoutes } from './routes/business/transactions.ts';
import { webhookDeliveryRoutes } from './routes/business/webhook-deliveries.ts';
import { webhookEndpointRoutes } from './routes/business/webhook-endpoints.ts';
import { attentionRoutes } from './routes/operator/attention.ts';
import { auditRoutes } from './routes/operator/audit.ts';
import { bankAccountRoutes } from './routes/operator/bank-accounts.ts';
import { operatorBusinessRoutes } from './routes/operator/businesses.ts';
import { caseRoutes } from './routes/operator/cases.ts';
import { holidayRoutes } from './routes/operator/holidays.ts';
import { ledgerRoutes } from './routes/operator/ledger.ts';
import { payoutRoutes } from './routes/operator/payouts.ts';
import { operatorPeopleRoutes } from './routes/operator/people.ts';
import { privacyRoutes } from './routes/operator/privacy.ts';
import { proposalRoutes } from './routes/operator/proposals.ts';
import { railSettingRoutes } from './routes/operator/rail-settings.ts';
import { railRoutes } from './routes/operator/rails.ts';
import { rateReadRoutes } from './routes/operator/rate-reads.ts';
import { rateRoutes } from './routes/operator/rates.ts';
import { reconciliationRoutes } from './routes/operator/reconciliation.ts';
import { reviewPageRoutes } from './routes/operator/review-page.ts';
import { reviewRoutes } from './routes/operator/reviews.ts';
import { searchRoutes } from './routes/operator/search.ts';
import { settingRoutes } from './routes/operator/settings.ts';
import { statementRoutes } from './routes/operator/statements.ts';
import { stopRoutes } from './routes/operator/stops.ts';
import { thresholdRoutes } from './routes/operator/threshold.ts';
import { treasuryRoutes } from './routes/operator/treasury.ts';
import { vendorRoutes } from './routes/operator/vendors.ts';
import { firstFactorRoutes } from './routes/people/first-factor.ts';
import { invitationRoutes } from './routes/people/invitations.ts';
import { providerRoutes } from './routes/people/provider.ts';
import { secondFactorRoutes } from './routes/people/second-factors.ts';
import { sessionRoutes } from './routes/people/session.ts';
import { signInRoutes } from './routes/people/sign-in.ts';
import { signUpRoutes } from './routes/people/sign-up.ts';

export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [
  ...signInRoutes,
  ...providerRoutes,
  ...firstFactorRoutes,
  ...signUpRoutes,
  ...invitationRoutes,
  ...sessionRoutes,
  ...secondFactorRoutes,
  ...businessRoutes,
  ...activityRoutes,
  ...firstBuyRoutes,
  ...transactionRoutes,
  ...transactionPartRoutes,
  ...transactionStepRoutes,
  ...quoteRoutes,
  ...keyRoutes,
  ...memberRoutes,
  ...webhookEndpointRoutes,
  ...webhookDeliveryRoutes,
  ...requestRoutes,
  ...networkRoutes,
  ...attentionRoutes,
  ...searchRoutes,
  ...operatorBusinessRoutes,
  ...operatorPeopleRoutes,
  ...reviewRoutes,
  ...reviewPageRoutes,
  ...proposalRoutes,
  ...settingRoutes,
  ...caseRoutes,
  ...stopRoutes,
  ...ledgerRoutes,
  ...treasuryRoutes,
  ...railRoutes,
  ...railSettingRoutes,
  ...payoutRoutes,
  ...reconciliationRoutes,
  ...holidayRoutes,
  ...thresholdRoutes,
  ...bankAccountRoutes,
  ...vendorRoutes,
  ...statementRoutes,
  ...rateReadRoutes,
  ...rateRoutes,
  ...auditRoutes,
  ...privacyRoutes,
];
