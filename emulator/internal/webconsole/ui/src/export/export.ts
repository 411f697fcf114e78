/** The schema of a table as a file of each tool that creates tables. */
import type { Endpoint } from '../copyas/copyas'
import { asCDK } from './cdk'
import { asCreateTable } from './cli'
import { asCloudFormation } from './cloudFormation'
import type { Schema } from './schema'
import { asTablesYaml } from './tablesYaml'
import { asTerraform } from './terraform'

export const formats = ['tables.yaml', 'CloudFormation', 'Terraform', 'CDK', 'AWS CLI'] as const
export type Format = (typeof formats)[number]

const writers: Record<Format, (schema: Schema, at: Endpoint) => string> = {
  'tables.yaml': asTablesYaml, CloudFormation: asCloudFormation, Terraform: asTerraform, CDK: asCDK, 'AWS CLI': asCreateTable,
}

export function exportSchema(format: Format, schema: Schema, at: Endpoint): string {
  return writers[format](schema, at)
}

/** fileName is what a download is called. */
export function fileName(format: Format, table: string): string {
  const endings: Record<Format, string> = {
    'tables.yaml': '.tables.yaml', CloudFormation: '.cloudformation.yaml', Terraform: '.tf', CDK: '.stack.ts', 'AWS CLI': '.create.sh',
  }
  return table + endings[format]
}
