import { Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { formatCount, formatCountOf } from '../../../shared/format'
import type { MatchingCounts, ShownMergedFile } from '../../../shared/schemas/merged-file'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { ProgressBar } from '../../components/feedback/progress-bar'
import { FileDrop } from '../../components/form/file-drop'
import { DefinitionList } from '../../components/layout/definition-list'
import { DownloadLink } from '../../components/layout/download-link'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { errorMessage } from '../../lib/error-message'
import { sendFile } from '../../lib/send-file'
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
        mayDownload && (
          <Group gap="xs">
            {matchedItems !== null && (
              <DownloadLink
                isCompact
                variant="default"
                href="/api/merged-file/matching.csv"
                failure="Failed to download the matching file"
              >
                File in use
              </DownloadLink>
            )}
            {file.file && (
              <DownloadLink
                isCompact
                variant="default"
                href="/api/merged-file/unmatched.csv"
                failure="Failed to download the list"
              >
                Unmatched items
              </DownloadLink>
            )}
          </Group>
        )
      }
    >
      <Stack gap="lg">
        <Text fz="sm">
          Download the items that match nothing, type your own SKU into the column sku, and send the
          file back. Two items with the same SKU of yours become one. A row with a GTIN counts for
          all suppliers. Each file that you send takes the place of the one in use, so add new rows
          to that.
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

function MatchingUpload({ hasOne }: { hasOne: boolean }) {
  const { mergedFile } = trpc.useUtils()
  const [share, setShare] = useState<number | null>(null)
  const send = useMutation({
    mutationFn: (file: File) =>
      sendFile<MatchingCounts>('/api/merged-file/matching-file', file, {
        method: 'PUT',
        // Once all is sent, it is read.
        onProgress: (sent) => setShare(sent < 1 ? sent : null),
      }),
    onSuccess: () => mergedFile.get.invalidate(),
  })
  return (
    <>
      <FileDrop
        label="Matching file"
        kinds="Excel or CSV with the columns prefix, supplier_sku, gtin and sku"
        file={send.variables ?? null}
        isDisabled={send.isPending}
        onFile={(chosen) => send.mutate(chosen)}
      />
      {send.isPending && <ProgressBar label="Reading the matching file" share={share} />}
      {send.isError && (
        <Text role="alert" fz="sm" c="var(--mantine-color-error)">
          {errorMessage(send.error)}
        </Text>
      )}
      {send.data && (
        <output aria-label="What was read">
          <DefinitionList
            items={[
              { term: 'Used', value: formatCount(send.data.used) },
              { term: 'Unusable', value: formatCount(send.data.unusable) },
              { term: 'Repeated', value: formatCount(send.data.repeated) },
            ]}
          />
        </output>
      )}
      {hasOne && <RemoveMatching onRemoved={() => send.reset()} />}
    </>
  )
}

function RemoveMatching({ onRemoved }: { onRemoved: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const { mergedFile } = trpc.useUtils()
  const remove = trpc.mergedFile.saveMatching.useMutation({
    onSuccess: () => mergedFile.get.invalidate(),
  })
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
