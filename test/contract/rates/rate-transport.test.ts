// Tests that the four rate sources pass the contract tests for a source, including the tests for every connection fault.
import { SOURCES } from './playing.ts';
import { type Playing, sourceContract } from './suite.ts';

for (const [name, playing] of Object.entries(SOURCES) as [string, Playing][]) sourceContract(name, playing);
