import type { ApiDescription, ApiMethod, ApiOperation, ApiResponse } from '../../../shared/openapi'
import { routeRoles } from '../../route-roles'
import { apiRoutes, type ApiAddress, type ApiRoute } from '../api-routes'
import { nameSchemas } from './json-schemas'
import { describeRoute, tagOf } from './operation'
import { TAGS } from './tags'

const INTRODUCTION = `The calls that the screens make, for use in scripts.

Sign in with \`POST /api/login\` and send the session cookie from its response with every other call. Request bodies are JSON, and so are responses other than files. A refused call returns \`{"message": "…"}\` with the reason in a sentence. Every GET also supports HEAD.`

type Settings = { appName: string; cookieName: string; origin: string | undefined }

/** The whole API in OpenAPI 3.1, generated from the route table, the schemas and the roles. */
export function describeApi({ appName, cookieName, origin }: Settings): ApiDescription {
  const routes = Object.entries<ApiRoute>(apiRoutes) as [ApiAddress, ApiRoute][]
  const tags = new Set(routes.map(([, route]) => tagOf(route)))
  return {
    openapi: '3.1.0',
    info: { title: `${appName} API`, version: '1.0.0', description: INTRODUCTION },
    servers: [{ url: origin ?? '/' }],
    tags: Object.values(TAGS).filter(({ name }) => tags.has(name)),
    paths: describePaths(routes),
    components: {
      schemas: {
        ...nameSchemas(),
        Error: {
          type: 'object',
          properties: { message: { type: 'string' } },
          required: ['message'],
          additionalProperties: false,
        },
      },
      responses: {
        Invalid: refusal('The parameters or the body are not valid'),
        SignedOut: refusal('You are not signed in, or your session has ended'),
        Forbidden: refusal('Your role may not make this call, or not for this object'),
        NotFound: refusal('The object does not exist, or belongs to somebody else'),
        TooMany: refusal(
          'Too many calls or attempts; wait for the seconds in the Retry-After header',
        ),
        Refused: refusal('Any other refusal'),
      },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookieName } },
    },
  }
}

const refusal = (description: string): ApiResponse => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

function describePaths(routes: [ApiAddress, ApiRoute][]): ApiDescription['paths'] {
  const paths: Record<string, Partial<Record<ApiMethod, ApiOperation>>> = {}
  for (const [address, route] of routes) {
    const [method = '', url = ''] = address.split(' ')
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    const operation = describeRoute(address, route, routeRoles[address])
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  return paths
}
