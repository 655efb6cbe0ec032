import { z } from 'zod'

import { ROLES } from '../../../shared/constants'
import type { ApiReference, ApiResponse, JsonSchema } from '../../../shared/openapi'
import type { Access } from '../../trpc/init'
import type { ApiRoute, ContentRoute } from '../define-routes'
import { definitionOf } from '../procedures'
import { FILE_EXAMPLES } from './examples'
import { describeValidators, validatorsOf } from './file-headers'
import { toResultSchema } from './json-schemas'

const JSON_TYPE = 'application/json'

type Refusable = { access: Access; hasInput: boolean; hasPath: boolean }

/** The responses of a route, by status. */
export function describeResponses(
  route: ApiRoute,
  refusable: Refusable,
): Record<string, ApiResponse | ApiReference> {
  const sendsPage = 'sends' in route && route.sends === 'text/html'
  const isFile = validatorsOf(route) !== undefined
  const refusals = sendsPage ? REFUSAL_PAGE : toRefusals({ ...refusable, isFile })
  return { ...toSuccess(route), ...refusals }
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
  if ('takes' in route) {
    const schema = toResultSchema(route.answers)
    const text = 'Where to ask what became of the file'
    const headers = { Location: { description: text, schema: { type: 'string' } } }
    return {
      200: { ...toJsonResponse('The file has been read', schema), headers },
      202: { ...toJsonResponse('The file waits, or is being read', schema), headers },
    }
  }
  if (route.status === 302) {
    const location = { description: 'Where the browser continues', schema: { type: 'string' } }
    return { 302: { description: 'A redirect', headers: { Location: location } } }
  }
  return toContent(route)
}

const toJsonResponse = (description: string, schema: JsonSchema): ApiResponse => ({
  description,
  content: { [JSON_TYPE]: { schema } },
})

function toContent(route: ContentRoute): Record<string, ApiResponse> {
  const { sends, alsoSends = [], validators } = route
  if (sends === JSON_TYPE) return { 200: toJsonResponse('The result', { type: 'object' }) }
  const toFile = (mediaType: string) => {
    const example = FILE_EXAMPLES[mediaType]
    const schema = { type: 'string', contentMediaType: mediaType }
    return [mediaType, { schema, ...(validators && { example }) }] as const
  }
  const content = Object.fromEntries([sends, ...alsoSends].map(toFile))
  if (sends === 'text/html') return { 200: { description: 'A page', content } }
  const text = (description: string) => ({ description, schema: { type: 'string' } })
  const name = { 'Content-Disposition': text('The file name') }
  if (!validators) return { 200: { description: 'The file', headers: name, content } }
  const about = describeValidators(validators)
  const headers = { ...name, ...about }
  const range = { 'Content-Range': text('Where the part is, and the size of the file in bytes') }
  return {
    200: { description: 'The file', headers, content },
    206: { description: 'The part of the file', headers: { ...headers, ...range }, content },
    304: { description: 'The file has not changed', headers: about },
    416: { description: 'The file has no such range', headers: { ...headers, ...range } },
  }
}

const PAGE: ApiResponse = {
  description: 'A page with the reason',
  content: { 'text/html': { schema: { type: 'string', contentMediaType: 'text/html' } } },
}

/** Pages opened in a browser window show why they failed. */
const REFUSAL_PAGE: Record<string, ApiResponse> = { '4XX': PAGE, default: PAGE }

function toRefusals({
  access,
  hasInput,
  hasPath,
  isFile,
}: Refusable & { isFile: boolean }): Record<string, ApiReference> {
  const isLimited = access !== 'anyone' && (access.length < ROLES.length || hasPath)
  const names = {
    ...(hasInput && { 400: 'Invalid' }),
    ...(access !== 'anyone' && { 401: 'SignedOut' }),
    ...(isLimited && { 403: 'Forbidden' }),
    ...(hasPath && { 404: 'NotFound' }),
    ...(isFile && { 412: 'OtherFile' }),
    429: 'TooMany',
    ...(isFile && { 503: 'NotReady' }),
    default: 'Refused',
  }
  return Object.fromEntries(
    Object.entries(names).map(([status, name]) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  )
}
