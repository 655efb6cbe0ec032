import type { JsonSchema } from '../../../shared/openapi'
import type { ApiCall } from './api-calls'

/** What fields are likely to hold, by their names. */
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

/** Parameters of paths that are no numbers. */
const PATH_EXAMPLES: Record<string, string> = { fileName: 'inventory.csv', name: 'clean-up' }

/** A command that makes the call; the cookies of a sign-in are kept in a file. */
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

/** By media type, what a success holds. */
function successOf({ responses }: ApiCall['operation']) {
  const success = Object.entries(responses).find(([status]) => /^[23]/.test(status))?.[1]
  return success && 'content' in success ? (success.content ?? {}) : {}
}

/** A value that fits the schema: its required fields, or the first where none is. */
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
