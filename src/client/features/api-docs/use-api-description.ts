import { useQuery } from '@tanstack/react-query'

import type { ApiDescription } from '../../../shared/openapi'
import { FileRefusal } from '../../lib/check-file'
import { UNREACHABLE } from '../../lib/error-message'

export const DESCRIPTION_PATH = '/api/openapi.json'

/** The description of the API, as the server makes it. */
export function useApiDescription() {
  return useQuery({ queryKey: ['api-description'], queryFn: readDescription })
}

async function readDescription({ signal }: { signal: AbortSignal }): Promise<ApiDescription> {
  const answer = await fetch(DESCRIPTION_PATH, { signal }).catch(() => {
    throw new Error(UNREACHABLE)
  })
  if (!answer.ok) throw new FileRefusal(answer.status)
  return (await answer.json()) as ApiDescription
}
