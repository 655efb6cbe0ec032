import { z } from 'zod'

import type { KeyScope } from '../../../shared/api-keys'
import { ROLES, type Role } from '../../../shared/constants'
import type { ApiOperation, ApiParameter, JsonSchema } from '../../../shared/openapi'
import { idSchema } from '../../../shared/schemas/primitives'
import type { Access } from '../../trpc/init'
import type { ApiRoute } from '../define-routes'
import { inputSchemaOf, type Noun } from '../procedures'
import { toExample } from './examples'
import { listConditions } from './file-headers'
import { toInputSchema } from './json-schemas'
import { describeResponses } from './responses'
import { TAGS } from './tags'

/** Who may call a route: the roles, and the scopes of which a key needs one. */
type Callers = { access: Access; scopes: readonly KeyScope[] }

/** Converts a route of the table into an OpenAPI operation. */
export function describeRoute(
  address: string,
  route: ApiRoute,
  { access, scopes }: Callers,
): ApiOperation {
  const [method = '', path = ''] = address.split(' ')
  const { shape, required } = readInput(route)
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const rest = Object.keys(shape).filter((name) => !names.includes(name))
  const takesFile = 'takes' in route
  const parameters = [
    ...names.map((name) => toParameter('path', name, shape[name] ?? toParamSchema(name), true)),
    ...(method === 'GET' || takesFile
      ? rest.map((name) => toParameter('query', name, shape[name]!, required.has(name)))
      : []),
    ...(takesFile ? UPLOAD_HEADERS : listConditions(route)),
  ]
  const hasBody = method !== 'GET' && rest.length > 0 && !takesFile
  return {
    operationId: toOperationId(method, path),
    summary: route.summary,
    description: [route.notes, describeCallers(access)].filter(Boolean).join(' '),
    tags: [tagOf(route)],
    security:
      access === 'anyone' ? [] : [{ session: [] }, ...scopes.map((scope) => ({ key: [scope] }))],
    ...(isLimited(access) && { 'x-roles': access }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && { requestBody: toBody(shape, rest, required) }),
    ...(takesFile && { requestBody: FILE_BODY }),
    responses: describeResponses(route, {
      access,
      hasInput: parameters.length > 0 || hasBody,
      hasPath: names.length > 0,
    }),
  }
}

/** The name of the tag for the noun that a route belongs to. */
export function tagOf(route: ApiRoute): string {
  const noun = 'procedure' in route ? (route.procedure.split('.')[0] as Noun) : route.noun
  return TAGS[noun].name
}

/** `patchRetailersIdStoreInfo` for `PATCH /api/retailers/:id/store-info`. */
function toOperationId(method: string, path: string): string {
  const words = path.replace('/api/', '').match(/[a-z]+/gi) ?? []
  const capitals = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return method.toLowerCase() + capitals.join('')
}

function readInput(route: ApiRoute) {
  const schema =
    'procedure' in route
      ? inputSchemaOf(route.procedure)
      : 'query' in route
        ? route.query
        : undefined
  const { properties = {}, required = [] } = schema ? toInputSchema(schema) : {}
  return { shape: properties, required: new Set(required) }
}

function toParamSchema(name: string): JsonSchema {
  return toInputSchema(name === 'id' ? idSchema : z.string())
}

function toParameter(
  place: 'path' | 'query',
  name: string,
  { description = PARAM_NOTES[name], ...schema }: JsonSchema,
  required: boolean,
): ApiParameter {
  const example = place === 'path' && { example: toExample(schema, name) as string | number }
  return { name, in: place, required, ...(description && { description }), schema, ...example }
}

const FILE_BODY = {
  required: true,
  content: {
    '*/*': { schema: { type: 'string', format: 'binary' }, example: 'sku,quantity\r\n1001,5\r\n' },
  },
}

const UPLOAD_HEADERS: ApiParameter[] = Object.entries({
  'Content-Disposition': 'The name of the file, as filename or filename*, where the query has none',
  'Content-Digest': 'sha-256=:…: with the SHA-256 of the body in base64, after RFC 9530',
  Prefer: 'wait=30 to wait that many seconds until the file has been read',
}).map(([name, description]) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
}))

/** What schemas of parameters do not say. */
const PARAM_NOTES: Record<string, string> = {
  token: 'The secret part of the address',
  session: 'The id of a session',
  name: 'The name of the file',
}

function toBody(shape: Record<string, JsonSchema>, names: string[], required: Set<string>) {
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, shape[name]!])),
    required: names.filter((name) => required.has(name)),
  }
  return { required: true, content: { 'application/json': { schema, example: toExample(schema) } } }
}

const CALLERS: Record<Role, string> = {
  SUPER_ADMIN: 'administrators',
  SUPPLIER: 'suppliers',
  RETAILER: 'retailers',
}

const isLimited = (access: Access): access is readonly Role[] =>
  access !== 'anyone' && access.length < ROLES.length

/** For whom a call or an event is, in a sentence. */
export function describeCallers(access: Access): string {
  if (access === 'anyone') return 'For anyone, without a session.'
  if (!isLimited(access)) return 'For every signed-in user.'
  return `For ${access.map((role) => CALLERS[role]).join(' and ')}.`
}
