import { readFileSync, writeFileSync } from 'node:fs';
import { OpsCommand } from '../../../infra/ops/command.ts';
import { pageFile, pictureOn, picturesFolder, withPictures } from './benchmarksPage.ts';
import { writePicture } from './files.ts';
import { pictures } from './pictures.ts';

// npm run pictures

async function run(): Promise<void> {
  const page = readFileSync(pageFile, 'utf8');
  for (const source of pictures) await writePicture(picturesFolder, source.name, pictureOn(page, source));
  writeFileSync(pageFile, withPictures(page));
  console.log(`${pictures.length} pictures, each light and dark, are in ${picturesFolder}.`);
}

export const program = new OpsCommand('npm run pictures --')
  .description('Draw the pictures of docs/benchmarks.md from the figures in its tables')
  .action(run);

if (import.meta.main) await program.main();
