import { useQuery } from '@tanstack/react-query'

import type { ApiDescription } from '../../../shared/openapi'
import { FileRequestError } from '../../lib/check-file'
import { UnreachableError } from '../../lib/error-message'

export const DESCRIPTION_PATH = '/api/openapi.json'

/** Query of the OpenAPI document. */
export function useApiDescription() {
  return useQuery({ queryKey: ['api-description'], queryFn: readDescription })
}

async function readDescription({ signal }: { signal: AbortSignal }): Promise<ApiDescription> {
  const response = await fetch(DESCRIPTION_PATH, { signal }).catch(() => {
    throw new UnreachableError()
  })
  if (!response.ok) throw new FileRequestError(response.status)
  return (await response.json()) as ApiDescription
}
