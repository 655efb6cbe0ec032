import { Alert, Stack } from '@mantine/core'
import { IconEye, IconFlask } from '@tabler/icons-react'
import { useRef } from 'react'

import type { Connection } from '../../../shared/schemas/connection'
import type { ReceivedFile } from '../../../shared/schemas/received-file'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError, type FailedQuery } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { RecordsDownload } from '../../components/layout/records-download'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import type { Choices } from './reading-choice'
import { ReceivedFileList } from './received-file-list'
import { isSampleFile } from './sample-file'
import { SendFile } from './send-file'
import { useRefreshReceived } from './use-refresh-received'
import { useSendChosen } from './use-send-chosen'
import { addressOf } from './use-send-file'

const SourcePreviewDialog = lazyDialog(
  async () => (await import('./source-preview-dialog')).SourcePreviewDialog,
)

/** Where a supplier sends files to its connection by hand, and what became of the last ones. */
export function ReceivedFilesPanel({ connection }: { connection: Connection }) {
  const { id, config, isActive } = connection
  const list = trpc.receivedFiles.list.useQuery({ id })
  const refresh = useRefreshReceived(id)
  const preview = useFirstLook(connection)
  if (!useMay('manage')) return <ReceivedFiles list={list} />
  return (
    <Panel
      title="Send a file"
      description={
        config.url === ''
          ? connection.updates
            ? 'Each file is read, checked and merged with what is published.'
            : 'The newest file is read, checked and published to your retailers.'
          : connection.overlay
            ? 'A file that you send is all there is, until a file at one of the two addresses changes.'
            : 'A file that you send is read instead of the one at the address, until that changes.'
      }
      actions={
        <>
          <FilesDownload list={list} />
          <PanelButton icon={IconEye} disabled={!isActive} onClick={preview.choose}>
            Check a file first
          </PanelButton>
        </>
      }
    >
      <Stack gap="md">
        <SendFile
          address={addressOf(id)}
          isDisabled={!isActive}
          takesUpdates={connection.updates !== null}
          onSent={() => void refresh()}
        />
        {config.url === '' && list.data && <SampleNote files={list.data} />}
        {!isActive && 'This connection is paused. Activate it to send a file.'}
        <LoadedFiles list={list} />
      </Stack>
      {preview.input}
      <SourcePreviewDialog {...preview.dialog} />
    </Panel>
  )
}

type FileQuery = FailedQuery & { isError: boolean; data?: ReceivedFile[] | undefined }

/** What became of the files that others of the company have sent. */
const ReceivedFiles = ({ list }: { list: FileQuery }) => (
  <Panel
    title="Files that were sent"
    description="By hand or through the upload link. Owners and editors of your company send them."
    actions={<FilesDownload list={list} />}
  >
    {list.data?.length === 0 ? 'None yet.' : <LoadedFiles list={list} />}
  </Panel>
)

function LoadedFiles({ list }: { list: FileQuery }) {
  if (list.isError) {
    return <LoadError isCompact title="The files could not be loaded" query={list} />
  }
  if (list.data === undefined) {
    return <LoadingBlock height={60} label="Loading the files that were sent" />
  }
  return list.data.length > 0 && <ReceivedFileList files={list.data} />
}

const FilesDownload = ({ list: { data } }: { list: FileQuery }) =>
  data &&
  data.length > 0 && <RecordsDownload rows={data} columns={CSV_COLUMNS} fileName="files-sent.csv" />

const CSV_COLUMNS: Record<string, (file: ReceivedFile) => string | number | null> = {
  fileName: ({ fileName }) => fileName,
  sizeBytes: ({ sizeBytes }) => sizeBytes,
  receivedAt: ({ receivedAt }) => receivedAt,
  receivedBy: ({ receivedBy }) => receivedBy,
  uploadLink: ({ linkEnd }) => linkEnd,
  way: ({ way }) => way,
  sender: ({ sender }) => sender,
  state: ({ state }) => state,
  rows: ({ rows }) => rows,
  message: ({ message }) => message,
}

/** Says that a sample is published, and how it goes away. */
function SampleNote({ files }: { files: ReceivedFile[] }) {
  const newest = files.find(({ state }) => state === 'published')
  if (!newest || !isSampleFile({ name: newest.fileName })) return null
  return (
    <Alert role="note" icon={<IconFlask size={18} aria-hidden="true" />} title="This is the sample">
      Its items are made up, and your retailers see them. Send your own file above, or enter its
      address under Edit: it takes the place of the sample at once, and is not compared with it.
    </Alert>
  )
}

/** Shows what would be read of a file before it is sent, and keeps what is chosen then. */
function useFirstLook(connection: Connection) {
  const { id, reading, categoryReading, columnRoles } = connection
  const dialog = useDialogSubject<File>()
  const picker = useRef<HTMLInputElement>(null)
  const { sendChosen, isSending } = useSendChosen(connection, dialog.close)
  return {
    choose: () => picker.current?.click(),
    input: (
      <input
        ref={picker}
        type="file"
        hidden
        aria-label="Choose a file to preview"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Choosing the same file again is a change then.
          currentTarget.value = ''
          if (file) dialog.open(file)
        }}
      />
    ),
    dialog: {
      isOpen: dialog.isOpen,
      source: dialog.subject ? { file: dialog.subject, connectionId: id } : undefined,
      choices: { reading, categoryReading, columnRoles },
      useLabel: 'Send this file',
      isSaving: isSending,
      onUse: (choices: Choices) => dialog.subject && sendChosen(dialog.subject, choices),
      onClose: dialog.close,
    },
  }
}
