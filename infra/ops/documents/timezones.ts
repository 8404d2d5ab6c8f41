import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpsCommand } from '../../terminal/command.ts';
import { packageFile } from '../packages.ts';

// npm run timezones

export const timezonesFile = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'lib',
  'values',
  'standards',
  'timezones.ts',
);

/** The IANA database in the format of moment-timezone: a zone begins with its name, a link ends with its name. */
interface Database {
  version: string;
  zones: string[];
  links: string[];
}

/** The folder with the package of the database. */
const packageFolder = join(import.meta.dirname, 'timezones');

export function timezonesText(): string {
  const source = packageFile(packageFolder, 'moment-timezone/data/packed/latest.json');
  const { version, zones, links }: Database = JSON.parse(readFileSync(source, 'utf8'));
  const names = [...zones.map((zone) => zone.split('|')[0]), ...links.map((link) => link.split('|')[1])];
  const areas = Map.groupBy((names as string[]).sort(), (name) =>
    name.includes('/') ? name.slice(0, name.indexOf('/')) : '-',
  );
  const lines = [...areas].map(([area, inside]) =>
    [area, ...inside.map((name) => (area === '-' ? name : name.slice(area.length + 1)))].join(' '),
  );
  return `// Written by "npm run timezones": all names of the IANA database that stand for a zone, links such as US/Eastern too. They
// are kept here, as the ICU of Node also takes names that the database does not have.

/** The release of the IANA database that the names are of. */
export const timezonesVersion = '${version}';

/** Each line is an area and names in it; - is before names without an area. */
export const timezoneAreas = \`\\
${lines.join('\n')}\`;
`;
}

export const program = new OpsCommand('npm run timezones')
  .description('Write the list of time zones, from the package that has the IANA database')
  .action(() => writeFileSync(timezonesFile, timezonesText()));

if (import.meta.main) await program.main();
