import type { Role } from '../../../shared/constants'
import type { ApiDescription, ApiMethod, ApiOperation, ApiWebhook } from '../../../shared/openapi'

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

/** A request that webhooks are sent, with the type of its event. */
export interface ApiEvent {
  type: string
  operation: ApiWebhook
}

/** The anchor of a part, for example `cron-jobs`. */
export const toAnchor = (name: string) => name.toLowerCase().replaceAll(/\W+/g, '-')

/** The part that has the events. */
export const EVENTS = 'Events'

/**
 * The description with the calls that a role may make, and the events that it is sent. Without a role,
 * all of them.
 */
export function forRole(description: ApiDescription, role: Role | undefined): ApiDescription {
  if (!role) return description
  const isFor = ({ 'x-roles': roles }: Pick<ApiOperation, 'x-roles'>) =>
    roles === undefined || roles.includes(role)
  const calls = Object.entries(description.paths).map(([path, methods]) => {
    const own = Object.entries(methods).filter(([, operation]) => isFor(operation))
    return [path, Object.fromEntries(own)] as const
  })
  const events = Object.entries(description.webhooks).filter(([, { post }]) => isFor(post))
  return { ...description, paths: Object.fromEntries(calls), webhooks: Object.fromEntries(events) }
}

/** The calls that contain every word of `query`, grouped by tag; empty groups are omitted. */
export function groupCalls({ tags, paths }: ApiDescription, query: string): ApiGroup[] {
  const calls = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method as ApiMethod,
        path,
        operation,
      })),
    )
    .filter(({ method, path, operation }) => hasWords(query, [method, path], operation))
  return tags
    .map((tag) => ({
      ...tag,
      calls: calls.filter(({ operation }) => operation.tags.includes(tag.name)),
    }))
    .filter((group) => group.calls.length > 0)
}

/** The events that contain every word of `query`. */
export function findEvents({ webhooks, components }: ApiDescription, query: string): ApiEvent[] {
  return Object.entries(webhooks)
    .map(([type, { post: operation }]) => ({ type, operation }))
    .filter(({ type, operation }) => {
      const { $ref = '' } = operation.requestBody?.content['application/json']?.schema ?? {}
      const { data } = components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)]?.properties ?? {}
      const names = Object.keys(data?.properties ?? {})
      return hasWords(query, ['event', type, ...names], { ...operation, parameters: [] })
    })
}

/** Whether every word is in the names, descriptions or field names, regardless of case. */
function hasWords(query: string, names: string[], operation: ApiOperation): boolean {
  const { summary, description, tags, parameters = [], requestBody } = operation
  const fields = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.keys(schema.properties ?? {}),
  )
  const inputs = [...parameters.map(({ name }) => name), ...fields]
  const text = [...names, summary, description, ...tags, ...inputs].join(' ').toLowerCase()
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return words.every((word) => text.includes(word))
}

const ROLE_NAMES: Record<string, string> = {
  SUPER_ADMIN: 'Administrators',
  SUPPLIER: 'Suppliers',
  RETAILER: 'Retailers',
}

/** The scopes of which a key needs one; none where keys are not taken. */
export const listScopes = ({ security }: Pick<ApiOperation, 'security'>): string[] =>
  security.flatMap((needed) => ('key' in needed ? needed.key : []))

/** Labels of the roles that may make the call, or are sent the event. */
export function nameCallers({
  security,
  'x-roles': roles = [],
}: Pick<ApiOperation, 'security' | 'x-roles'>): string[] {
  if (security.length === 0 && roles.length === 0) return ['Anyone']
  if (roles.length === 0) return ['Any signed-in user']
  return roles.map((role) => ROLE_NAMES[role] ?? role)
}
