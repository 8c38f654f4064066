// The scaffold of a family of networks. NETWORKS_FILE can contain the family, but the service refuses to open it until it is
// implemented. Its settings are a member of a union. Therefore every place that needs a line for the family does not compile
// without it.
import { addAsLastEntry, addImport, type FileEdit, insertBefore } from '../file-edits.ts';
import { type ScaffoldNames, scaffoldNamesOf } from '../names.ts';
import { readTemplateFiles } from '../templates.ts';

const ROOM = 'src/adapters/networks';
const SETTINGS = `${ROOM}/settings/settings.ts`;

export function scaffoldNetworkFamily(given: string) {
  const names = scaffoldNamesOf(given);
  const { name } = names;
  const folder = `${ROOM}/${name}`;
  return {
    scaffold: {
      files: readTemplateFiles('network-family', { ...names }),
      edits: editsOf(names),
      taken: [folder, `test/contract/${name}`],
    },
    next: [
      'Read docs/extend/adding-a-network.md and src/ports/networks, whose comments are part of the contract.',
      `Fill in ${folder}: address.ts first, then open.ts and set-up.ts. Report anything doubtful as pending or unknown.`,
      `Add its own fields to FAMILY_FIELDS and readFamilySettings in ${ROOM}/settings/families.ts, the form of its addresses to ` +
        `${ROOM}/address-check.ts, and, for a test-mode network, its appearance to ${ROOM}/simulated/family-looks.ts.`,
      'Let keys have a wallet on the network: edit src/adapters/signer/key-file.ts and key-file-format.ts, which binds wallets to the secret.',
      `Write a local network in local-networks/${name}, and use it in test/contract/${name}/${name}-network.ts.`,
      `Run npm test -- contract/${name}. It fails until the family keeps the contract.`,
      'As the last step, remove the refusal from open.ts: until then, no network of the family starts, in either mode.',
    ],
  };
}

function editsOf({ name, Name }: ScaffoldNames): readonly FileEdit[] {
  const key = name.includes('-') ? `'${name}'` : name;
  const check = `make${Name}AddressCheck`;
  const at = `'../../adapters/networks/${name}`;
  return [
    insertBefore(`${ROOM}/address-check.ts`, ';\n\ninterface AddressShape', ` | '${name}'`),
    insertBefore(
      SETTINGS,
      'export type NetworkSettings =',
      `export interface ${Name}Settings extends ChainSettings {\n  readonly family: '${name}';\n  readonly token: string;\n}\n\n`,
    ),
    insertBefore(SETTINGS, ';\n\nexport function amountNeedsTwoProviders', ` | ${Name}Settings`),
    addAsLastEntry(`${ROOM}/settings/families.ts`, 'export const FAMILY_FIELDS', `${key}: () => ({}),`),
    addAsLastEntry(
      `${ROOM}/settings/families.ts`,
      'switch (common.family) {',
      `case '${name}': return { ...common, family: '${name}' };`,
    ),
    addImport(`${ROOM}/settings/values.ts`, check, `../${name}/address.ts`),
    addAsLastEntry(
      `${ROOM}/settings/values.ts`,
      'const CHECKS: Readonly<',
      `${key}: (network) => ${check}({ network, ...NO_RULES }),`,
    ),
    addImport(`${ROOM}/describe-network.ts`, check, `./${name}/address.ts`),
    addAsLastEntry(
      `${ROOM}/describe-network.ts`,
      'switch (settings.family) {',
      `case '${name}': return ${check}(rules);`,
    ),
    addAsLastEntry(
      'src/wire/networks/open-network.ts',
      'switch (settings.family) {',
      `case '${name}': return (await import(${at}/open.ts')).open${Name}Network(settings, parts);`,
    ),
    addAsLastEntry(
      'src/wire/networks/network-admin.ts',
      'switch (settings.family) {',
      `case '${name}': return (await import(${at}/set-up.ts')).open${Name}SetUp(settings, parts);`,
    ),
  ];
}
