// Checks the order of the folders inside domain, app and the dashboard. A folder may import only earlier folders. A person who
// reads the folders in this order always knows what the next folder needs.
import { importsOf, isTest, readSources, resolveImport, type Source } from './source.ts';

export const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [
    'values',
    'people',
    'audit',
    'ledger',
    'records',
    'travel-rule',
    'events',
    'webhooks',
    'catalogue',
    'rails',
    'statements',
    'rates',
    'quotes',
    'matching',
    'reports',
    'movements',
    'settlement',
    'review',
    'reconciliation',
    'back-office',
    'privacy',
  ],
  'src/app': [
    'input',
    'audit',
    'people',
    'membership',
    'rates',
    'intake',
    'quotes',
    'events',
    'webhooks',
    'back-office',
    'rails',
    'treasury',
    'engine',
    'settlement',
    'matching',
    'statements',
    'account-lookups',
    'travel-rule',
    'movements',
    'networks',
    'review',
    'ledger',
    'reconciliation',
    'sandbox',
    'activity',
    'requests',
    'operations',
    'privacy',
  ],
  'dashboard/src': ['theme', 'api', 'components', 'layout', 'pages'],
};

export function findUpwardImports(root: string, order = FOLDER_ORDER): string[] {
  return Object.entries(order).flatMap(([layer, folders]) =>
    readSources(root, `${layer}/*/**/*.{ts,tsx}`)
      .filter(({ file }) => !isTest(file))
      .flatMap((source) => findUpwardImportsIn(source, layer, folders)),
  );
}

function findUpwardImportsIn(source: Source, layer: string, folders: readonly string[]): string[] {
  const floorOf = (file: string) => folders.indexOf(folderOf(file, layer));
  const own = folderOf(source.file, layer);
  if (floorOf(source.file) === -1) {
    return [
      `${source.file}:1: ${layer}/${own} has no place in the order: add it in scripts/checks/folder-order.ts`,
    ];
  }
  return importsOf(source).flatMap(({ target, line }) => {
    const to = resolveImport(source.file, target);
    if (!to?.startsWith(`${layer}/`) || floorOf(to) <= floorOf(source.file)) return [];
    return [
      `${source.file}:${line}: ${own} must not import ${folderOf(to, layer)}, which comes after it (${target}): move what is needed down into ${own}, or this file up`,
    ];
  });
}

function folderOf(file: string, layer: string): string {
  return file.slice(layer.length + 1).split('/')[0]!;
}
