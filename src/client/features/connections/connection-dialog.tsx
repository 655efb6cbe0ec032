import { useDisclosure } from '@mantine/hooks'
import { useEffect, useState } from 'react'

import { SYNC_FREQUENCIES } from '../../../shared/constants'
import type { Connection, ConnectionFormValues } from '../../../shared/schemas/connection'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { KnownColumns } from '../../components/form/role-fields'
import { sendFile } from '../../lib/send-file'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { ConnectionForm } from './connection-form'
import { SentFileForm, type SentFileSettings } from './sent-file-form'
import { useUpdateConnection } from './use-connection-actions'
import { addressOf, withName } from './use-send-file'

interface ConnectionDialogProps {
  isOpen: boolean
  /** The connection to edit; null to add one. */
  connection: Connection | null
  /** Whether it begins with the preview of the file that comes with the product. */
  isSample?: boolean
  onClose: () => void
}

/** Adds or edits a connection. */
export function ConnectionDialog(props: ConnectionDialogProps) {
  const [isPreviewOpen, preview] = useDisclosure(false)
  return (
    <FormDialog
      // While the preview is open, Escape must only close the preview.
      closeOnEscape={!isPreviewOpen}
      isOpen={props.isOpen}
      onClose={props.onClose}
      size="lg"
      title={props.connection ? 'Edit Connection' : 'Add Connection'}
    >
      <SavedForm {...props} isPreviewOpen={isPreviewOpen} preview={preview} />
    </FormDialog>
  )
}

interface SavedFormProps extends Omit<ConnectionDialogProps, 'isOpen'> {
  isPreviewOpen: boolean
  preview: { open: () => void; close: () => void }
}

/** The form, with the calls that save it: each opening of the dialog begins without their errors. */
function SavedForm({
  connection,
  isSample: startsWithSample = false,
  isPreviewOpen,
  preview,
  onClose,
}: SavedFormProps) {
  const [isSample, setSample] = useState(startsWithSample)
  const [isByHand, setByHand] = useState(startsWithSample || connection?.config.url === '')
  const { open: openPreview } = preview
  useEffect(() => {
    if (isSample) openPreview()
  }, [isSample, openPreview])
  const published = usePublishedColumns(connection)
  const { create, update, isSending, save, saveByHand } = useSaving(connection, onClose)
  const { isPending, error } = connection ? update : create
  const props = {
    connection,
    published,
    isPreviewOpen,
    preview,
    isPending: isPending || isSending,
    error,
  }
  return isByHand ? (
    <SentFileForm
      {...props}
      isSample={isSample}
      onUseAddress={() => {
        setByHand(false)
        setSample(false)
      }}
      onSubmit={saveByHand}
    />
  ) : (
    <ConnectionForm
      {...props}
      onSendInstead={() => setByHand(true)}
      onTrySample={() => {
        setByHand(true)
        setSample(true)
      }}
      onSubmit={save}
    />
  )
}

/** The columns from which those of a saved connection are chosen without a preview. */
function usePublishedColumns(connection: Connection | null): KnownColumns | undefined {
  const { data } = trpc.columnPolicy.get.useQuery(
    { id: connection?.id ?? 0 },
    { enabled: connection !== null },
  )
  if (!data || data.columns.length === 0) return undefined
  return { names: data.columns.map(({ name }) => name), found: data.found }
}

function useSaving(connection: Connection | null, onClose: () => void) {
  const utils = trpc.useUtils()
  const [isSending, setSending] = useState(false)
  const onError = (error: unknown) => showFailure(error, 'Failed to create connection')
  const create = trpc.connections.create.useMutation({ onError })
  const update = useUpdateConnection(onClose)

  async function finish(text: string) {
    showSuccess(text)
    onClose()
    await utils.connections.list.invalidate()
  }

  async function createByHand({ file, ...settings }: SentFileSettings) {
    const { id } = await create.mutateAsync({ ...BY_HAND, ...settings, isActive: true })
    if (!file) return finish('Connection created successfully')
    setSending(true)
    try {
      await sendFile(withName(addressOf(id), file), file, { method: 'PUT' })
      await finish('Connection created. Your file is being read.')
    } catch (error) {
      // The connection is there: its page takes the file again.
      await finish('Connection created successfully')
      showFailure(error, 'The file could not be sent')
    }
  }

  return {
    create,
    update,
    isSending,
    save: (values: ConnectionFormValues) =>
      connection
        ? update.mutate({ id: connection.id, ...values })
        : create.mutate(
            { ...values, isActive: true },
            { onSuccess: () => void finish('Connection created successfully') },
          ),
    saveByHand(settings: SentFileSettings) {
      const { file: _, ...changes } = settings
      if (connection) {
        const noOverlay = connection.overlay && { overlay: null }
        return update.mutate({ id: connection.id, ...changes, config: {}, ...noOverlay })
      }
      // A failure has been shown by the call.
      void createByHand(settings).catch(() => undefined)
    },
  }
}

/** What a connection without an address has besides its name and how its files are read. */
const BY_HAND = {
  type: 'URL',
  fileFormat: 'CSV',
  syncFrequency: SYNC_FREQUENCIES.DAILY,
  config: {},
} as const
