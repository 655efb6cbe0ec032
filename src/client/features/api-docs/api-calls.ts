import type { ApiDescription, ApiMethod, ApiOperation } from '../../../shared/openapi'

/** An operation with its place. */
export interface ApiCall {
  method: ApiMethod
  path: string
  operation: ApiOperation
}

/** The calls of one noun. */
export interface ApiGroup {
  name: string
  description: string
  calls: ApiCall[]
}

/** The calls that have every word of `query` in them, by noun; nouns without any are left out. */
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

/** All that is searched: what can be read of a call, and the names of its fields. */
function toText({ method, path, operation }: ApiCall): string {
  const { summary, description = '', tags, parameters = [], requestBody } = operation
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

/** Who may call, in words. */
export function nameCallers({ security }: ApiOperation): string[] {
  if (security.length === 0) return ['Anyone']
  const roles = security.flatMap(({ session }) => session)
  if (roles.length === 0) return ['Everybody signed in']
  return roles.map((role) => ROLE_NAMES[role] ?? role)
}
