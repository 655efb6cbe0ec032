import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { PreviewSourceInput, SourcePreview } from '../../../shared/schemas/connection'
import { sendFile } from '../../lib/send-file'
import { trpc } from '../../trpc'
import type { Choices } from './reading-choice'

/** Choices that follow each other faster are read together. */
const SETTLED_MS = 300

interface PreviewedFile extends Pick<PreviewSourceInput, 'connectionId' | 'updates'> {
  file: File
  /** Whether it is said to be a full one. */
  isFull?: boolean | undefined
}

/** An address, or a file that is chosen here; the connection whose settings apply, if there is one. */
export type PreviewedSource = PreviewSourceInput | PreviewedFile

/**
 * What a sync would read from a source; a changed reading aborts the preview in progress. By the roles of columns
 * only updates and second addresses are read: otherwise changed ones need no new preview.
 */
export function useSourcePreview(source: PreviewedSource, { reading, columnRoles }: Choices) {
  const { client } = trpc.useUtils()
  const [last, setLast] = useState<SourcePreview>()
  const [firstRoles] = useState(columnRoles)
  const isReadByRoles = last !== undefined && (last.update !== null || last.overlay !== null)
  const roles = isReadByRoles ? columnRoles : firstRoles
  const [settled] = useDebouncedValue(reading, SETTLED_MS)
  const [settledRoles] = useDebouncedValue(roles, SETTLED_MS)
  const query = useQuery({
    queryKey: ['source-preview', source.connectionId, keyOf(source), settled, settledRoles],
    queryFn: ({ signal }) =>
      'file' in source
        ? previewFile(source, { reading: settled, columnRoles: settledRoles }, signal)
        : client.connections.previewSource.mutate(
            { ...source, reading: settled, columnRoles: settledRoles },
            { signal },
          ),
    placeholderData: keepPreviousData,
    // Not cached: the source may change at any time.
    gcTime: 0,
  })
  if (query.data && query.data !== last) setLast(query.data)
  return {
    query,
    /** The last preview that succeeded. */
    last,
    /** The choices differ from those of what is shown. */
    isReading: query.isFetching || settled !== reading || settledRoles !== roles,
  }
}

const keyOf = (source: PreviewedSource) =>
  'file' in source
    ? [source.file.name, source.file.size, source.file.lastModified, source.updates, source.isFull]
    : [source.url, source.transfer, source.updates, source.overlay]

function previewFile(
  { file, connectionId, updates, isFull }: PreviewedFile,
  { reading, columnRoles }: Pick<Choices, 'reading' | 'columnRoles'>,
  signal: AbortSignal,
): Promise<SourcePreview> {
  const query = new URLSearchParams({
    name: file.name,
    reading: JSON.stringify(reading),
    columnRoles: JSON.stringify(columnRoles),
    ...(updates !== undefined && { updates: JSON.stringify(updates) }),
    ...(isFull && { full: 'true' }),
    ...(connectionId !== undefined && { connectionId: String(connectionId) }),
  })
  return sendFile(`/api/connections/preview-file?${query}`, file, { method: 'POST', signal })
}
