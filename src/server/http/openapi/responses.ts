import { z } from 'zod'

import { ROLES } from '../../../shared/constants'
import type { ApiReference, ApiResponse, JsonSchema } from '../../../shared/openapi'
import type { Access } from '../../route-roles'
import { definitionOf } from '../../trpc/procedures'
import type { ApiRoute } from '../api-routes'
import { toResultSchema } from './json-schemas'

const JSON_TYPE = 'application/json'

type Refusable = { access: Access; hasInput: boolean; hasPath: boolean }

/** The responses of a route, by status. */
export function describeResponses(
  route: ApiRoute,
  refusable: Refusable,
): Record<string, ApiResponse | ApiReference> {
  const sendsPage = 'sends' in route && route.sends === 'text/html'
  return { ...toSuccess(route), ...(sendsPage ? REFUSAL_PAGE : toRefusals(refusable)) }
}

function toSuccess(route: ApiRoute): Record<string, ApiResponse> {
  if ('procedure' in route) {
    const { output = z.unknown() } = definitionOf(route.procedure)
    return { [route.status ?? 200]: toJsonResponse('The result', toResultSchema(output)) }
  }
  if ('rows' in route) {
    const schema = toResultSchema(z.array(route.rows))
    return { 200: toJsonResponse('All rows, streamed', schema) }
  }
  if (route.status === 302) {
    const location = { description: 'Where the browser continues', schema: { type: 'string' } }
    return { 302: { description: 'A redirect', headers: { Location: location } } }
  }
  return toContent(route.sends, route.isTagged ?? false)
}

const toJsonResponse = (description: string, schema: JsonSchema): ApiResponse => ({
  description,
  content: { [JSON_TYPE]: { schema } },
})

function toContent(mediaType: string, isTagged: boolean): Record<string, ApiResponse> {
  if (mediaType === JSON_TYPE) return { 200: toJsonResponse('The result', { type: 'object' }) }
  const schema = { type: 'string', contentMediaType: mediaType }
  const content = { [mediaType]: { schema } }
  if (mediaType === 'text/html') return { 200: { description: 'A page', content } }
  const text = (description: string) => ({ description, schema: { type: 'string' } })
  const headers = {
    'Content-Disposition': text('The file name'),
    ...(isTagged && { ETag: text('Changes with the content of the file') }),
  }
  return {
    200: { description: 'The file', headers, content },
    ...(isTagged && {
      304: { description: 'The file has not changed: If-None-Match contains its ETag' },
    }),
  }
}

/** Pages opened in a browser window show why they failed. */
const REFUSAL_PAGE: Record<string, ApiResponse> = {
  default: {
    description: 'A page with the reason',
    content: { 'text/html': { schema: { type: 'string', contentMediaType: 'text/html' } } },
  },
}

function toRefusals({ access, hasInput, hasPath }: Refusable): Record<string, ApiReference> {
  const isLimited = access !== 'anyone' && access.length < ROLES.length
  const names = {
    ...(hasInput && { 400: 'Invalid' }),
    ...(access !== 'anyone' && { 401: 'SignedOut' }),
    ...((isLimited || hasPath) && { 403: 'Forbidden' }),
    ...(hasPath && { 404: 'NotFound' }),
    429: 'TooMany',
    default: 'Refused',
  }
  return Object.fromEntries(
    Object.entries(names).map(([status, name]) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  )
}
