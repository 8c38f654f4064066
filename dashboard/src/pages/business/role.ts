// What the signed-in person may do in the business of the page. The service decides; a page hides what it would refuse.
import { type BusinessRole, useSignedIn } from '../../api/session.ts';
import { useBusinessPlace } from '../../frame/place.ts';

export function useBusinessRole(): BusinessRole {
  const { memberships } = useSignedIn();
  const { businessId } = useBusinessPlace();
  return memberships.find((each) => each.business_id === businessId)?.role ?? 'viewer';
}
