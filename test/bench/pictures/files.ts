import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Theme } from './colors.ts';
import { themes } from './colors.ts';
import type { Picture } from './picture.ts';
import { svgOf } from './svg.ts';

export const fileOf = (name: string, theme: Theme): string => `${name}-${theme}.svg`;

/** The SVG files of a picture, one for each theme, by their names. */
export async function filesOf(name: string, picture: Picture): Promise<[file: string, svg: string][]> {
  const files: [string, string][] = [];
  for (const theme of Object.keys(themes) as Theme[])
    files.push([fileOf(name, theme), await svgOf(picture, theme)]);
  return files;
}

/** Writes the SVG files of a picture into a folder. @returns their paths */
export async function writePicture(folder: string, name: string, picture: Picture): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  return (await filesOf(name, picture)).map(([file, svg]) => {
    const path = join(folder, file);
    writeFileSync(path, svg);
    return path;
  });
}
