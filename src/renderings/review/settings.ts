// What became of a request to change a setting.
import { type TObject, Type } from 'typebox';
import type { SettingOutcome } from '../../app/back-office/change-setting.ts';
import * as schemas from '../parts/schemas.ts';
import { proposal, renderProposal } from './proposals.ts';

export const settingAnswer = {
  done: Type.Boolean({ description: 'False: it waits for a second person, as the proposal.' }),
  proposal: schemas.nullable(proposal),
};

export function renderOutcome(outcome: SettingOutcome): schemas.Shown<TObject<typeof settingAnswer>> {
  if (outcome.kind === 'done') return { done: true, proposal: null };
  return { done: false, proposal: renderProposal({ kind: 'setting', proposal: outcome.proposal }) };
}
