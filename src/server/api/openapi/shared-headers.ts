import { isDeepStrictEqual } from 'node:util'

import type { ApiDescription, ApiHeaders, ApiReference, ApiResponse } from '../../../shared/openapi'

type Paths = ApiDescription['paths']

/** Says once what the same header of many responses is, and refers to that. */
export function shareHeaders(paths: Paths): { paths: Paths; headers: ApiHeaders } {
  const headers: ApiHeaders = {}
  const share = (response: ApiResponse): ApiResponse => {
    if (!response.headers) return response
    const shared = Object.entries(response.headers).map(([name, header]) => {
      if ('$ref' in header) return [name, header] as const
      headers[name] ??= header
      const isSame = isDeepStrictEqual(headers[name], header)
      return [name, isSame ? toReference(name) : header] as const
    })
    return { ...response, headers: Object.fromEntries(shared) }
  }
  const shareAll = (responses: Record<string, ApiResponse | ApiReference>) =>
    mapEntries(responses, (response) => ('$ref' in response ? response : share(response)))
  const shared = mapEntries(paths, (methods) =>
    mapEntries(methods, (operation) => ({
      ...operation,
      responses: shareAll(operation.responses),
    })),
  )
  return { paths: shared, headers }
}

const toReference = (name: string): ApiReference => ({ $ref: `#/components/headers/${name}` })

const mapEntries = <Value>(all: Record<string, Value>, map: (value: Value) => Value) =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, map(value)]))
