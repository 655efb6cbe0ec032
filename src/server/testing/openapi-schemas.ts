import { Ajv2020 } from 'ajv/dist/2020.js'

import type { ApiDescription, JsonSchema } from '../../shared/openapi'
import openapiSchema from './openapi-3.1-schema.json'

const OPTIONS = { allErrors: true, allowUnionTypes: true, validateFormats: false }

/** Lists what is wrong with a value by a schema of the description. */
export type FindErrors = (schema: JsonSchema, value: unknown) => string[]

/** Checks values against the schemas of a description of the API. */
export function readSchemas({ components }: ApiDescription): FindErrors {
  const ajv = new Ajv2020(OPTIONS)
  ajv.addSchema({ $id: 'api', components }, 'api')
  ajv.addKeyword('components')
  return (schema, value) => {
    const json = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')
    return listErrors(ajv, JSON.parse(json) as object, value)
  }
}

/** Lists what a document has that OpenAPI 3.1 does not, or lacks; schemas in it are not looked at. */
export function findDocumentErrors(document: unknown): string[] {
  return listErrors(new Ajv2020({ ...OPTIONS, strict: false }), openapiSchema, document)
}

function listErrors(ajv: Ajv2020, schema: object, value: unknown): string[] {
  const validate = ajv.compile(schema)
  validate(value)
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}
