import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface CfnResource {
  Type: string;
  Properties?: Record<string, Json>;
  DependsOn?: string | string[];
  UpdatePolicy?: Json;
  Condition?: string;
}

export interface CfnTemplate {
  Resources: Record<string, CfnResource>;
  Outputs?: Record<string, { Value: Json; Export?: { Name: Json } }>;
  Conditions?: Record<string, Json>;
  Parameters?: Record<string, Json>;
}

/** The templates of an assembly, by stack name. */
export const readTemplates = (assembly: string): Map<string, CfnTemplate> =>
  new Map(
    globSync('*.template.json', { cwd: assembly })
      .sort()
      .map((file) => [
        basename(file, '.template.json'),
        JSON.parse(readFileSync(join(assembly, file), 'utf8')) as CfnTemplate,
      ]),
  );
