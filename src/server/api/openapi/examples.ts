import type { JsonSchema } from '../../../shared/openapi'

/** Example values by field name. */
const EXAMPLES: Record<string, unknown> = {
  username: 'summit',
  password: 'a long password',
  currentPassword: 'a long password',
  newPassword: 'a longer password',
  companyName: 'Northbeck Outdoor',
  contactEmail: 'post@example.com',
  storeName: 'Summit Sports',
  name: 'Outdoor catalogue',
  url: 'https://example.com/inventory.csv',
  syncFrequency: 60,
  fileName: 'inventory.csv',
  olderFileName: 'inventory-before.csv',
  token: 'the-token-of-the-address',
  card: 'uGBD9-BueWhuWJogfrMsmt6hlQR0UN8Ih4V-NJdUvv0',
  session: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

/** Rows of a file by media type, for those that are texts. */
export const FILE_EXAMPLES: Record<string, string> = {
  'text/csv': 'sku,quantity\r\n1001,5\r\n',
  'text/tab-separated-values': 'id\tavailability\n1001\tin_stock\n',
  'application/x-ndjson': '{"sku":"1001","quantity":5}\n',
}

/** A value valid for the schema. An object has its required fields, or the first if none is. */
export function toExample(schema: JsonSchema, name = ''): unknown {
  const { properties, required = [] } = schema
  if (properties) {
    const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
    return Object.fromEntries(names.map((key) => [key, toExample(properties[key] ?? {}, key)]))
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [option] = schema.anyOf ?? schema.oneOf ?? []
  if (option) return toExample(option, name)
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return true
  if (name in EXAMPLES) return EXAMPLES[name]
  return schema.type === 'string' ? 'text' : (schema.minimum ?? 1)
}
