import { Button, Group, Modal, Skeleton, Stack } from '@mantine/core'
import { IconTableOff } from '@tabler/icons-react'
import { useEffect } from 'react'

import { HEAD_ROWS, PARSE_FAILED } from '../../../shared/constants'
import { formatCountOf } from '../../../shared/format'
import type { PreviewSourceInput, SourcePreview } from '../../../shared/schemas/connection'
import type { CategoryReading } from '../../../shared/schemas/file'
import { EmptyState, ErrorState } from '../../components/message-state'
import { MoreInFile } from '../../components/more-in-file'
import { PreviewTable } from '../../components/preview-table'
import { errorMessage } from '../../lib/error-message'
import { trpc } from '../../trpc'
import { CategoryChoice } from './category-choice'
import { SourceFindings } from './source-findings'

import classes from './source-preview-dialog.module.css'

const EMPTY_FILE = 'CSV file is empty'
const EMPTY_REASON = 'Empty CSV file: the source has no lines.'
const CALL_FAILED = 'Failed to fetch CSV file'

interface SourcePreviewDialogProps {
  isOpen: boolean
  /** Each new object starts a preview, so pass the same one while the dialog is open. */
  source: PreviewSourceInput | undefined
  /** The chosen category column; undefined or null: the detected one applies. */
  chosenReading: CategoryReading | null | undefined
  onChooseReading: (reading: CategoryReading | null) => void
  onClose: () => void
}

/** Shows what a sync would read from the source. */
export function SourcePreviewDialog(props: SourcePreviewDialogProps) {
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      size={1180}
      title="CSV Preview"
      classNames={{ body: classes.body }}
    >
      <SourcePreviewBody {...props} />
    </Modal>
  )
}

function SourcePreviewBody(props: SourcePreviewDialogProps) {
  const preview = trpc.connections.previewSource.useMutation()
  const { mutate } = preview
  const { source } = props
  useEffect(() => {
    if (source) mutate(source)
  }, [mutate, source])
  return (
    <Stack gap="md">
      <p className={classes.hint}>
        The first {HEAD_ROWS} rows of the file, as a sync would read them. Make sure the format
        matches your expectations before you save the connection.
      </p>
      {preview.isError ? (
        <PreviewError error={preview.error} onRetry={() => source && mutate(source)} />
      ) : preview.data ? (
        <FilledPreview {...props} preview={preview.data} />
      ) : (
        <PreviewSkeleton />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  )
}

function PreviewError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className={classes.frame}>
      <ErrorState {...readFailure(errorMessage(error, CALL_FAILED))} onRetry={onRetry} />
    </div>
  )
}

/** A problem of the file itself becomes the title; any other error means that the call failed. */
function readFailure(text: string): { title: string; message?: string } {
  if (text === EMPTY_FILE) return { title: EMPTY_FILE, message: EMPTY_REASON }
  if (!text.startsWith(`${PARSE_FAILED}. `)) return { title: CALL_FAILED, message: text }
  return { title: PARSE_FAILED, message: text.slice(PARSE_FAILED.length + 2) }
}

function FilledPreview(props: SourcePreviewDialogProps & { preview: SourcePreview }) {
  const { preview } = props
  const reading = props.chosenReading ?? preview.categoryReading
  return (
    <>
      <SourceFindings preview={preview} />
      <CategoryChoice
        columns={preview.categoryColumns}
        detected={preview.categoryReading}
        chosen={props.chosenReading ?? null}
        onChoose={props.onChooseReading}
      />
      <div className={classes.frame}>
        {preview.rows.length === 0 ? (
          <EmptyState icon={<IconTableOff size={20} stroke={1.75} />} title="No data available">
            The file has {formatCountOf(preview.columnCount, 'column')} but no rows.
          </EmptyState>
        ) : (
          <>
            <PreviewTable
              label="Rows of the file"
              columns={preview.columns}
              rows={preview.rows}
              maxHeight="min(38vh, 480px)"
              markedColumn={reading?.column ?? null}
            />
            <MoreInFile
              rowCount={Math.min(HEAD_ROWS, preview.rowsRead) - preview.rows.length}
              columnCount={preview.columnCount - preview.columns.length}
            />
          </>
        )}
      </div>
    </>
  )
}

function PreviewSkeleton() {
  return (
    <div className={classes.frame}>
      <Stack component="output" gap={14} p="md" aria-label="Loading the preview">
        {['60%', '92%', '84%', '90%', '72%', '88%'].map((width) => (
          <Skeleton key={width} height={12} width={width} />
        ))}
      </Stack>
    </div>
  )
}
