import { Box, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconUnlink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { formatFileSize } from '../../shared/format'
import { type UploadPage as Upload, uploadPageSchema } from '../../shared/schemas/upload-link'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
import { Logo } from '../components/layout/logo'
import { Panel } from '../components/layout/panel'
import { ReceivedFileList } from '../features/connections/received-file-list'
import { SendFile } from '../features/connections/send-file'
import { FileRequestError } from '../lib/check-file'
import { errorStatus, UnreachableError } from '../lib/error-message'
import { useAppName, usePageTitle } from '../session/page-title'

import classes from './upload.module.css'

/** While a file waits or is read. */
const BUSY_REFRESH_MS = 2_000
const NOT_FOUND = 404

/** The page of an upload link: whoever has it sends files, and sees what became of the last ones. */
export function UploadPage() {
  usePageTitle('Send a file')
  const appName = useAppName()
  const { token } = useParams({ from: '/upload/$token' })
  const query = useQuery({
    queryKey: ['upload-link', token],
    queryFn: ({ signal }) => openLink(token, signal),
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.files.some(({ endedAt }) => endedAt === null) ? BUSY_REFRESH_MS : false,
  })
  return (
    <main className={classes.page}>
      <Box>
        <div className={classes.brand}>
          <Logo size={32} />
          <span>{appName}</span>
        </div>
        {!query.data && <VisuallyHidden component="h1">Send a file</VisuallyHidden>}
        {query.data ? (
          <Sending upload={query.data} token={token} onSent={() => void query.refetch()} />
        ) : query.isPending ? (
          <PageSpinner />
        ) : errorStatus(query.error) === NOT_FOUND ? (
          <EmptyState icon={IconUnlink} title="This upload link does not work">
            It may have been replaced or revoked. Ask whoever gave it to you for a new one.
          </EmptyState>
        ) : (
          <LoadError title="The upload link could not be opened" query={query} />
        )}
      </Box>
    </main>
  )
}

/** Not by a procedure: proxies log the queries of those, and the token is a secret. */
async function openLink(token: string, signal: AbortSignal): Promise<Upload> {
  const response = await fetch(`/api/upload/${token}`, { signal }).catch(() => {
    signal.throwIfAborted()
    throw new UnreachableError()
  })
  if (!response.ok) throw new FileRequestError(response.status)
  return uploadPageSchema.parse(await response.json())
}

interface SendingProps {
  upload: Upload
  token: string
  onSent: () => void
}

function Sending({ upload, token, onSent }: SendingProps) {
  const { connectionName, supplierName, maxBytes, isPaused, takesUpdates, files } = upload
  return (
    <Stack gap="lg">
      <div>
        <Title order={1}>
          Send a file to <bdi>{supplierName}</bdi>
        </Title>
        <Text c="dimmed" mt={4}>
          For “<bdi>{connectionName}</bdi>”. Up to {formatFileSize(maxBytes, 0)};{' '}
          {takesUpdates ? 'each file is merged with those before.' : 'the newest file counts.'}
        </Text>
      </div>
      <SendFile
        address={`/upload/${token}`}
        isDisabled={isPaused}
        takesUpdates={takesUpdates}
        onSent={onSent}
      />
      {isPaused && <Text>This connection takes no files at the moment.</Text>}
      {files.length > 0 && (
        <Panel title="Last files">
          <ReceivedFileList files={files} />
        </Panel>
      )}
    </Stack>
  )
}
