import { formatCount, formatCountOf } from '../../../shared/format'
import type { ApiDescription, JsonSchema } from '../../../shared/openapi'

export type Schemas = ApiDescription['components']['schemas']

const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
}

const FORMATS: Record<string, string> = {
  'date-time': 'time, ISO 8601 in UTC',
  email: 'email address',
}

/** Follows a `$ref`; an unknown one resolves to the empty schema. */
function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  if (schema.$ref === undefined) return schema
  return schemas[nameOfReference(schema.$ref)] ?? {}
}

const nameOfReference = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

/** The type in words: `list of text`, `whole number or null`. */
export function describeType(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return nameOfReference(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map(describeType))].join(' or ')
  if (schema.type === 'array') return `list of ${describeType(schema.items ?? {})}`
  if (schema.format !== undefined && schema.format in FORMATS) return FORMATS[schema.format] ?? ''
  const types = [schema.type ?? []].flat().map((type) => TYPES[type] ?? type)
  return types.join(' or ') || 'anything'
}

/** Bounds and default: `1 to 200 characters`, `default true`. */
export function describeBounds(schema: JsonSchema): string {
  const option = schema.anyOf?.find(({ type }) => type !== 'null')
  if (option) return describeBounds(option)
  const { minLength, maxLength, minimum, exclusiveMinimum, maximum, maxItems } = schema
  const isPlain = typeof schema.default !== 'object' && schema.default !== undefined
  return [
    describeRange(minLength, maxLength, 'character'),
    describeRange(minimum, maximum),
    exclusiveMinimum !== undefined && `greater than ${exclusiveMinimum}`,
    maxItems !== undefined && `at most ${formatCountOf(maxItems, 'item')}`,
    isPlain && `default ${JSON.stringify(schema.default)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function describeRange(from: number | undefined, to: number | undefined, unit?: string) {
  const inUnits = (value: number) => (unit ? formatCountOf(value, unit) : formatCount(value))
  if (from !== undefined && to !== undefined) return `${formatCount(from)} to ${inUnits(to)}`
  if (to !== undefined) return `at most ${inUnits(to)}`
  if (from !== undefined) return `at least ${inUnits(from)}`
  return ''
}

/** The object schemas of a value or of a list's items; several for a union. */
export function listShapes(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const { properties, items, anyOf, oneOf, ...rest } = resolve(schema, schemas)
  if (properties) return [{ ...rest, properties }]
  if (items) return listShapes(items, schemas)
  return (anyOf ?? oneOf ?? []).flatMap((option) => listShapes(option, schemas))
}
