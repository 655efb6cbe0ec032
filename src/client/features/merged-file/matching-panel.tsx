import { Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'

import { formatCount, formatCountOf } from '../../../shared/format'
import type { ShownMergedFile } from '../../../shared/schemas/merged-file'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { ProgressBar } from '../../components/feedback/progress-bar'
import { FileDrop } from '../../components/form/file-drop'
import { DefinitionList } from '../../components/layout/definition-list'
import { DownloadLink } from '../../components/layout/download-link'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { errorMessage } from '../../lib/error-message'
import { showFailure, showSuccess } from '../../lib/toast'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import type { Settings } from './merged-values'

interface MatchingPanelProps {
  file: ShownMergedFile
  settings: Settings
  whoChanges: string
}

/** Says which items without a common GTIN are one: by a list that is downloaded, filled in and sent back. */
export function MatchingPanel({ file, settings, whoChanges }: MatchingPanelProps) {
  const mayChange = useMay('addresses')
  const mayDownload = useMay('files')
  const { matchedItems } = settings
  return (
    <Panel
      title="Your own SKUs"
      description="Items without a GTIN are matched by a list of yours"
      actions={
        file.file &&
        mayDownload && (
          <DownloadLink
            isCompact
            variant="default"
            href="/api/merged-file/unmatched.csv"
            failure="Failed to download the list"
          >
            Unmatched items
          </DownloadLink>
        )
      }
    >
      <Stack gap="lg">
        <Text fz="sm">
          Download the items that match nothing, type your own SKU into the column sku, and send the
          file back. Two items with the same SKU of yours become one. A row with a GTIN counts for
          all suppliers, and each file that you send takes the place of the one before.
        </Text>
        <Text fz="sm" c="dimmed">
          {matchedItems === null
            ? 'No matching file is in use.'
            : `A matching file with ${formatCountOf(matchedItems, 'usable row')} is in use.`}{' '}
          {!mayChange && whoChanges}
        </Text>
        {mayChange && <MatchingUpload hasOne={matchedItems !== null} />}
      </Stack>
    </Panel>
  )
}

function useSaveMatching() {
  const { mergedFile } = trpc.useUtils()
  return trpc.mergedFile.saveMatching.useMutation({
    onSuccess: () => mergedFile.get.invalidate(),
  })
}

function MatchingUpload({ hasOne }: { hasOne: boolean }) {
  const save = useSaveMatching()
  const [file, setFile] = useState<File | null>(null)
  const [unreadable, setUnreadable] = useState<string | null>(null)
  async function send(chosen: File) {
    setFile(chosen)
    setUnreadable(null)
    try {
      const csv = await readText(chosen)
      // An empty one would remove what is in use.
      if (csv.trim() === '') throw new Error('The file is empty')
      save.mutate({ csv })
    } catch (error) {
      save.reset()
      setUnreadable(errorMessage(error))
    }
  }
  const failure = unreadable ?? (save.isError ? errorMessage(save.error) : null)
  return (
    <>
      <FileDrop
        label="Matching file"
        kinds="CSV with the columns prefix, supplier_sku, gtin and sku"
        file={file}
        isDisabled={save.isPending}
        onFile={(chosen) => void send(chosen)}
      />
      {save.isPending && <ProgressBar label="Reading the matching file" share={null} />}
      {failure !== null && (
        <Text role="alert" fz="sm" c="var(--mantine-color-error)">
          {failure}
        </Text>
      )}
      {save.data && failure === null && (
        <output aria-label="What was read">
          <DefinitionList
            items={[
              { term: 'Used', value: formatCount(save.data.used) },
              { term: 'Unusable', value: formatCount(save.data.unusable) },
              { term: 'Repeated', value: formatCount(save.data.repeated) },
            ]}
          />
        </output>
      )}
      {hasOne && (
        <RemoveMatching
          onRemoved={() => {
            save.reset()
            setFile(null)
          }}
        />
      )}
    </>
  )
}

/** @throws Error for a text that is not UTF-8: other letters would be read in its place */
async function readText(file: File): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    throw new Error('The file is not UTF-8. In Excel, save it as “CSV UTF-8”.')
  }
}

function RemoveMatching({ onRemoved }: { onRemoved: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const remove = useSaveMatching()
  const close = () => setAsking(false)
  return (
    <Group>
      <PanelButton icon={IconTrash} onClick={() => setAsking(true)}>
        Remove the matching file
      </PanelButton>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title="Remove the matching file"
        confirmLabel="Remove"
        isPending={remove.isPending}
        onConfirm={() =>
          remove.mutate(
            { csv: '' },
            {
              onSuccess: () => {
                onRemoved()
                showSuccess('Matching file removed')
              },
              onError: (error) => showFailure(error, 'The matching file could not be removed'),
              onSettled: close,
            },
          )
        }
      >
        Items that it matches are told apart again, each with the prefix of its supplier.
      </ConfirmDialog>
    </Group>
  )
}
