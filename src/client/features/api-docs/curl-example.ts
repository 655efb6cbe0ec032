import type { JsonSchema } from '../../../shared/openapi'
import type { ApiCall } from './api-calls'

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
}

/** Example values of path parameters that are not numbers. */
const PATH_EXAMPLES: Record<string, string> = { fileName: 'inventory.csv', name: 'clean-up' }

/** A curl command for the call; the session cookie is kept in `cookies.txt`. */
export function toCurl({ method, path, operation }: ApiCall, origin: string): string {
  const body = operation.requestBody?.content['application/json']?.schema
  const setsSession = path === '/api/login'
  const sendsFile = Object.keys(successOf(operation)).some((type) => !/json|html/.test(type))
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => PATH_EXAMPLES[name] ?? '1')
  const needsMethod = method !== 'get' && !(method === 'post' && body)
  const parts = [
    setsSession ? '-c cookies.txt' : operation.security.length > 0 && '-b cookies.txt',
    sendsFile && '-OJ',
    needsMethod && `-X ${method.toUpperCase()}`,
    body && `-H 'content-type: application/json'`,
    body && `-d '${JSON.stringify(toExample(body))}'`,
    `'${origin}${address}'`,
  ]
  return `curl ${parts.filter(Boolean).join(' \\\n  ')}`
}

/** The content of the success response by media type. */
function successOf({ responses }: ApiCall['operation']) {
  const success = Object.entries(responses).find(([status]) => /^[23]/.test(status))?.[1]
  return success && 'content' in success ? (success.content ?? {}) : {}
}

/** A value valid for the schema. An object has its required fields, or the first if none is. */
function toExample(schema: JsonSchema, name = ''): unknown {
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
