import type { ApiDescription, ApiMethod, ApiOperation } from '../../../shared/openapi'

/** An operation with its method and path. */
export interface ApiCall {
  method: ApiMethod
  path: string
  operation: ApiOperation
}

/** The calls with one tag. */
export interface ApiGroup {
  name: string
  description: string
  calls: ApiCall[]
}

/** The calls that contain every word of `query`, grouped by tag; empty groups are omitted. */
export function groupCalls({ tags, paths }: ApiDescription, query: string): ApiGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const calls = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method as ApiMethod,
        path,
        operation,
      })),
    )
    .filter((call) => {
      const text = toText(call)
      return words.every((word) => text.includes(word))
    })
  return tags
    .map((tag) => ({
      ...tag,
      calls: calls.filter(({ operation }) => operation.tags.includes(tag.name)),
    }))
    .filter((group) => group.calls.length > 0)
}

/** The text a search runs over: method, path, descriptions and field names, in lower case. */
function toText({ method, path, operation }: ApiCall): string {
  const { summary, description, tags, parameters = [], requestBody } = operation
  const fields = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.keys(schema.properties ?? {}),
  )
  const names = parameters.map(({ name }) => name)
  return [method, path, summary, description, ...tags, ...names, ...fields].join(' ').toLowerCase()
}

const ROLE_NAMES: Record<string, string> = {
  SUPER_ADMIN: 'Administrators',
  SUPPLIER: 'Suppliers',
  RETAILER: 'Retailers',
}

/** Labels of the roles that may make the call. */
export function nameCallers({ security, 'x-roles': roles = [] }: ApiOperation): string[] {
  if (security.length === 0) return ['Anyone']
  if (roles.length === 0) return ['Any signed-in user']
  return roles.map((role) => ROLE_NAMES[role] ?? role)
}
