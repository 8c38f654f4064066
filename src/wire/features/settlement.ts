// Settlement: matches money with transactions and moves it. It hears at once of new transactions and of money that came in.
import { openScreeningList } from '../../adapters/screening/list-file.ts';
import type { Feature, ServiceParts } from '../feature.ts';
import { openSettlement } from '../settlement.ts';

export async function settlementFeature(parts: ServiceParts): Promise<Feature> {
  const { config, log, metrics, signals, onError } = parts;
  const screening = await openScreeningList(config.screeningList, onError);
  const settlement = await openSettlement(config, { ...parts, screening }, log, metrics.observeStage);
  signals.listen({ accepted: settlement.accepted, wakeFeeds: settlement.wakeFeeds });
  return { loops: [settlement] };
}
