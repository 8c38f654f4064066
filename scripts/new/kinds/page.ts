// The scaffold of a page of the dashboard, for operators or for businesses. The page reads an existing route until it has its
// own route.
import { addAsLastEntry } from '../file-edits.ts';
import { ScaffoldRefused, scaffoldNamesOf } from '../names.ts';
import { readTemplateFiles } from '../templates.ts';

interface Area {
  readonly list: string;
  readonly values: Readonly<
    Record<'location' | 'given' | 'params' | 'read' | 'member' | 'key' | 'row' | 'person' | 'address', string>
  >;
}

const AREAS: Readonly<Record<string, Area>> = {
  operator: {
    list: 'OPERATOR',
    values: {
      location: 'useOperatorLocation',
      given: 'mode',
      params: '{ mode }',
      read: '/operator/rails/{mode}',
      member: 'rails',
      key: 'rail',
      row: 'simulated',
      person: "{ operator: 'admin' }",
      address: '/app/operator/test',
    },
  },
  business: {
    list: 'BUSINESS',
    values: {
      location: 'useBusinessLocation',
      given: 'params',
      params: 'params',
      read: '/businesses/{business_id}/networks/{mode}',
      member: 'networks',
      key: 'name',
      row: 'Polygon',
      person: "{ business: stage.service.business.businessId, role: 'owner' }",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one in the file that is made.
      address: '/app/b/${stage.service.business.businessId}/test',
    },
  },
};

export function scaffoldPage(given: string) {
  const [area, text] = given.includes('/') ? splitAreaAndName(given) : ['operator', given];
  if (!Object.hasOwn(AREAS, area))
    throw new ScaffoldRefused(`There is no area "${area}". Write operator/${text} or business/${text}.`);
  const { list, values } = AREAS[area]!;
  const names = scaffoldNamesOf(text);
  const { name, title } = names;
  const folder = `dashboard/src/pages/${area}/${name}`;
  return {
    scaffold: {
      files: readTemplateFiles('page', {
        ...names,
        ...values,
        area,
        pattern: values.read.replaceAll(/\{\w+\}/g, '*'),
      }),
      edits: [
        addAsLastEntry(
          'dashboard/src/router.tsx',
          `const ${list}: Readonly<Record<string, Load>> = {`,
          `'/${name}': () => import('./pages/${area}/${name}/page.tsx'),`,
        ),
      ],
      taken: [folder],
    },
    next: [
      'Read docs/extend/adding-a-page.md.',
      `Add a console route for the data of the page, and put its path in ${folder}/data.ts instead of ${values.read}.`,
      `Write the columns, the lead and the empty state in ${folder}/page.tsx.`,
      `Add it to ${list}_NAV in dashboard/src/layout/navigation.ts to list it in the navigation: ` +
        `{ label: '${title}', path: '/${name}', icon: 'list' },`,
      `Run npm test -- test/browser/${area}-${name} browser/every-page. Both pass from the beginning.`,
    ],
  };
}

function splitAreaAndName(given: string): readonly [area: string, name: string] {
  const at = given.indexOf('/');
  return [given.slice(0, at), given.slice(at + 1)];
}
