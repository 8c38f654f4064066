// The figures of the overview.
import { pathTo } from '../../../api/calls.ts';
import { useRead } from '../../../api/reads.ts';
import type { BusinessPlace } from '../../../frame/place.ts';

const OVERVIEW = '/businesses/{business_id}/overview/{mode}';

export const overviewPath = ({ params }: BusinessPlace): string => pathTo(OVERVIEW, { params });
export const useOverview = ({ params }: BusinessPlace) => useRead(OVERVIEW, { params });
