// Says which guards are blind in this process.
import { reportGuards } from '../../workers/report-guards.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function guardsFeature({ guards, metrics, log, onError }: ServiceParts): Feature {
  const say = (loudness: 'info' | 'error', message: string, detail: object) => log[loudness](detail, message);
  return { loops: [reportGuards({ guards, instruments: metrics, say, onError })] };
}
