import { join } from 'node:path';
import { installPackages } from '../../../infra/ops/packages.ts';

/** A project of its own, so that the packages of the comparison are not dependencies of the product. */
export const peersFolder = join(import.meta.dirname, '../peers');

/** Installs the packages of the peers, unless they are installed. @throws Error */
export const installPeers = (): void => installPackages(peersFolder);
