// Shared by the commands that change settings: a setting as a sentence, and what is printed when it was proposed and waits for
// a second person.
import { changeSetting } from '../../app/back-office/change-setting.ts';
import type { AnyProposal } from '../../app/review/decide-proposal.ts';
import type { SettingProposal, SettingRequest } from '../../domain/back-office/setting.ts';
import { formatNaira } from '../../domain/values/money.ts';
import type { SettingWrite } from '../../ports/setting-desk.ts';
import type { DescribedFoundation } from '../../wire.ts';
import type { Terminal } from '../command.ts';
import { answerOf, describeRequest } from './review-words.ts';

/** Undefined when it was proposed: nothing has changed yet, and the way to the second person is printed. */
export async function change(
  terminal: Terminal,
  foundation: DescribedFoundation & { readonly actor: string },
  request: SettingRequest,
): Promise<SettingWrite | undefined> {
  const outcome = answerOf(await changeSetting(foundation, request, foundation));
  if (outcome.kind === 'done') return outcome.write;
  printSettingProposal(terminal, outcome.proposal);
  return undefined;
}

export function printSettingProposal(terminal: Terminal, { id, request, proposedBy }: SettingProposal): void {
  terminal.print(`${id}: ${proposedBy} proposes to ${describeSetting(request)}.`);
  printNext(terminal, id);
}

export function printNext(terminal: Terminal, id: string): void {
  terminal.print('Nothing has changed yet. Another person, signed in with their own account, decides:');
  terminal.print(`  bin/sliproad reviews approve ${id}`);
  terminal.print(`  bin/sliproad reviews decline ${id} --reason TEXT`);
}

export function describeProposal({ kind, proposal }: AnyProposal): string {
  return kind === 'review' ? describeRequest(proposal.request) : describeSetting(proposal.request);
}

export function describeSetting(request: SettingRequest): string {
  switch (request.setting) {
    case 'vendor_added': {
      const { mode, name, number, bank } = request.vendor;
      return `add the ${mode} vendor ${name}, ${number}, ${bank}`;
    }
    case 'vendor_renamed':
      return `rename the vendor ${request.vendorId} to ${request.name}`;
    case 'vendor_enabled':
      return `enable the vendor ${request.vendorId}`;
    case 'vendor_disabled':
      return `disable the vendor ${request.vendorId}`;
    case 'fee_set': {
      const { mode, product, flatMinor, feeBps, capMinor, businessId, fromMs } = request.fee;
      const cap = capMinor === null ? '' : `, at most ${formatNaira(capMinor)}`;
      const from = fromMs === null ? '' : ` from ${new Date(fromMs).toISOString()}`;
      return `set the fee of a ${mode} ${product} to ${formatNaira(flatMinor)} and ${feeBps} bps${cap}${from}, for ${ofBusiness(businessId)}`;
    }
    case 'limit_set': {
      const { mode, businessId, perTransactionMinor, perDayMinor, perMonthMinor } = request.limit;
      const limits = [
        limitText('per transaction', perTransactionMinor),
        limitText('per day', perDayMinor),
        limitText('per month', perMonthMinor),
      ];
      return `set the ${mode} limits of ${ofBusiness(businessId)}: ${limits.flat().join(', ')}`;
    }
    case 'wallet_set': {
      const { mode, businessId, wallet } = request;
      if (wallet === null) return `remove the ${mode} default wallet of ${businessId}`;
      return `set the ${mode} default wallet of ${businessId} to ${wallet.network} ${wallet.address}`;
    }
    case 'freeze_lifted':
      return `lift the ${request.mode} freeze of ${request.businessId} (${request.reason})`;
    case 'case_closed':
      return `close the case ${request.caseId} (${request.reason})`;
    case 'movements_paused':
      return 'pause money movements';
    case 'movements_resumed':
      return `resume money movements${request.reason === '' ? '' : ` (${request.reason})`}`;
    case 'signing_resumed':
      return `resume signing after the stop: ${request.note || 'no reason was given'}`;
    case 'network_forgotten':
      return `forget what ${request.network} (${request.mode}) is bound to: ${request.identity}`;
  }
}

function ofBusiness(businessId: string | null): string {
  return businessId ?? 'all businesses without their own';
}

function limitText(name: string, minor: bigint | null | undefined): string[] {
  if (minor === undefined) return [];
  return [`${name} ${minor === null ? 'none' : formatNaira(minor)}`];
}
