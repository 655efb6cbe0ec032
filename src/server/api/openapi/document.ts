import type {
  ApiDescription,
  ApiMethod,
  ApiOperation,
  ApiHeaders,
  ApiResponse,
} from '../../../shared/openapi'
import { apiRoutes, type ApiAddress } from '../api-routes'
import type { ApiRoute } from '../define-routes'
import { type FeedAddressPath, feedRoutes } from '../feed-routes'
import { keyAccess } from '../key-access'
import { routeRoles } from '../route-roles'
import { type UploadPath, uploadRoutes } from '../upload-routes'
import { nameSchemas } from './json-schemas'
import { describeRoute, tagOf } from './operation'
import { shareHeaders } from './shared-headers'
import { TAGS } from './tags'
import { describeWebhookHeaders, describeWebhooks, WEBHOOKS_INTRODUCTION } from './webhooks'

const INTRODUCTION = `The calls that the screens make, for use in scripts.

Make an API key and send it with every call, as \`Authorization: Bearer sb_…\`; each call names the scopes of which a key needs one. Or sign in with \`POST /api/login\` and send the session cookie from its response, without a key. Request bodies are JSON, except files that are sent, and so are responses other than files. A refused call returns \`{"message": "…"}\` with the reason in a sentence, and with a \`code\` where programs may want to know. Every GET of data also supports HEAD. Another method than a path has is answered with 405, and the right ones in \`Allow\`. Shops read their files from feed addresses, and files can be sent by upload links, both without a session.

${WEBHOOKS_INTRODUCTION}`

type Settings = {
  appName: string
  cookieName: string
  origin: string | undefined
  /** That of the product. */
  version: string
}

const LICENSE = { name: 'MIT', identifier: 'MIT' }

/** The whole API in OpenAPI 3.1, generated from the route table, the schemas and the roles. */
export function describeApi({ appName, cookieName, origin, version }: Settings): ApiDescription {
  const routes = Object.entries<ApiRoute>({
    ...apiRoutes,
    ...feedRoutes,
    ...uploadRoutes,
  }) as DescribedRoute[]
  const tags = new Set(routes.map(([, route]) => tagOf(route)))
  const { paths, headers } = shareHeaders(describePaths(routes))
  return {
    openapi: '3.1.0',
    info: {
      title: `${appName} API`,
      version,
      description: INTRODUCTION,
      contact: { name: appName, ...(origin && { url: origin }) },
      license: LICENSE,
    },
    servers: [{ url: origin ?? '/' }],
    tags: Object.values(TAGS).filter(({ name }) => tags.has(name)),
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas: {
        ...nameSchemas(),
        Error: {
          type: 'object',
          properties: { message: { type: 'string' }, code: { type: 'string' } },
          required: ['message'],
          additionalProperties: false,
        },
      },
      responses: REFUSALS,
      parameters: describeWebhookHeaders(),
      headers,
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName,
          description: 'Set by POST /api/login',
        },
        key: { type: 'http', scheme: 'bearer', description: 'An API key, sb_…' },
      },
    },
  }
}

type DescribedRoute = [ApiAddress | FeedAddressPath | UploadPath, ApiRoute]

function describePaths(routes: DescribedRoute[]): ApiDescription['paths'] {
  const paths: Record<string, Partial<Record<ApiMethod, ApiOperation>>> = {}
  for (const [address, route] of routes) {
    const [method = '', url = ''] = address.split(' ')
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    const operation = describeRoute(address, route, {
      access: routeRoles[address],
      scopes: findScopes(address),
    })
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  return paths
}

const findScopes = (address: DescribedRoute[0]) =>
  (Object.hasOwn(keyAccess, address) && keyAccess[address as ApiAddress]?.scopes) || []

const RETRY_AFTER: ApiHeaders = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
}

/** The responses by which calls are refused, by their component names. */
const REFUSALS: Record<string, ApiResponse> = {
  Invalid: refusal('The parameters or the body are not valid', 'The id is not valid'),
  SignedOut: refusal('You are not signed in, or your session has ended', 'You are not signed in'),
  Forbidden: refusal(
    'Your role may not make this call, or not for this object',
    'You do not have permission to do this',
  ),
  NotFound: refusal('The object does not exist, or belongs to somebody else', 'File not found'),
  OtherFile: refusal(
    'The file is not the one that If-Match or If-Unmodified-Since asks for',
    'The file is not the one that If-Match or If-Unmodified-Since asks for',
  ),
  TooMany: refusal(
    'Too many calls or attempts; wait for the seconds in the Retry-After header',
    'Too many calls. Try again in a minute.',
    RETRY_AFTER,
  ),
  NotReady: refusal(
    'The file is being prepared; try again after the seconds in the Retry-After header',
    'Your file is being prepared. Try again in a moment.',
    RETRY_AFTER,
  ),
  Refused: refusal('Any other refusal', 'Internal server error'),
}

function refusal(description: string, message: string, headers?: ApiHeaders): ApiResponse {
  const schema = { $ref: '#/components/schemas/Error' }
  const content = { 'application/json': { schema, example: { message } } }
  return { description, ...(headers && { headers }), content }
}
