import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { PreviewSourceInput, SourcePreview } from '../../../shared/schemas/connection'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import { trpc } from '../../trpc'

/** Choices that follow each other faster are read together. */
const SETTLED_MS = 300

/** What a sync would read from a source; a changed reading aborts the preview in progress. */
export function useSourcePreview(source: PreviewSourceInput, reading: SourceReading) {
  const { client } = trpc.useUtils()
  const [settled] = useDebouncedValue(reading, SETTLED_MS)
  const query = useQuery({
    queryKey: ['source-preview', source.connectionId, source.url, settled],
    queryFn: ({ signal }) =>
      client.connections.previewSource.mutate({ ...source, reading: settled }, { signal }),
    placeholderData: keepPreviousData,
    // Not cached: the source may change at any time.
    gcTime: 0,
  })
  const [last, setLast] = useState<SourcePreview>()
  if (query.data && query.data !== last) setLast(query.data)
  return {
    query,
    /** The last preview that succeeded. */
    last,
    /** The choices differ from those of what is shown. */
    isReading: query.isFetching || settled !== reading,
  }
}
