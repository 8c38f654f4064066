// The four sources keep the contract of a source, whatever happens to the connection.
import { SOURCES } from './played-sources.ts';
import { type Playing, sourceContract } from './suite.ts';

for (const [name, playing] of Object.entries(SOURCES) as [string, Playing][]) sourceContract(name, playing);
