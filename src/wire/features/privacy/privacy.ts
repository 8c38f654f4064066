// Personal data of customers is erased when its time is over, or when people decided it.
import { erasePersonalData } from '../../../workers/privacy/erase-personal-data.ts';
import type { Feature, ServiceParts } from '../../feature.ts';

export function privacyFeature({ privacy, clock, config, metrics, onError }: ServiceParts): Feature {
  const keepMs = config.personalDataKeepMs;
  return { loops: [erasePersonalData({ privacy, clock, keepMs, instruments: metrics, onError })] };
}
