import { join } from 'node:path';
import { root } from '../../support/stack/stackProcess.ts';
import { fileOf } from './files.ts';
import type { Picture, PictureSource } from './picture.ts';
import { pictures } from './pictures.ts';
import { tablesUnder } from './tables.ts';

export const pageFile = join(root, 'docs', 'benchmarks.md');
export const picturesFolder = join(root, 'docs', 'pictures');

/** A picture of the figures in the tables of the page. */
export const pictureOn = (page: string, { heading, picture }: PictureSource): Picture =>
  picture(...tablesUnder(page, heading));

/** The page with the titles of its pictures, which have figures of its tables, as their alternative texts. */
export const withPictures = (page: string): string =>
  page.replace(
    /<picture>\s*<source [^>]*pictures\/([\w-]+)-dark\.svg".*?<\/picture>/gs,
    (_, name: string) => {
      const source = pictures.find((one) => one.name === name);
      if (!source) throw new Error(`There is no picture "${name}"`);
      return markdownOf(name, pictureOn(page, source));
    },
  );

/** Browsers and GitHub choose the source by the theme of the reader. The figures are in the table below it. */
const markdownOf = (name: string, { title }: Picture): string =>
  [
    '<picture>',
    `  <source media="(prefers-color-scheme: dark)" srcset="pictures/${fileOf(name, 'dark')}">`,
    `  <img src="pictures/${fileOf(name, 'light')}" alt="${title.replaceAll('"', '&quot;')}" width="720">`,
    '</picture>',
  ].join('\n');
