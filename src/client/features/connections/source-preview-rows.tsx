import { Button, Skeleton, Stack } from '@mantine/core'
import { IconTableOff } from '@tabler/icons-react'

import { HEAD_ROWS } from '../../../shared/constants'
import { formatCountOf } from '../../../shared/format'
import type { SourcePreview } from '../../../shared/schemas/connection'
import { EmptyState, ErrorState } from '../../components/feedback/message-state'
import { MoreInFile } from '../../components/table/more-in-file'
import { PreviewTable } from '../../components/table/preview-table'
import type { PreviewFailure } from './source-preview-failure'

import classes from './source-preview-dialog.module.css'

interface PreviewRowsProps {
  /** undefined before the first preview, and when the last one failed. */
  preview: SourcePreview | undefined
  /** Why the last one failed. */
  failure: PreviewFailure | undefined
  /** The source is being read with other choices than those of the shown rows. */
  isReading: boolean
  markedColumn: string | null
  /** What its columns are, by their places. */
  tags: ReadonlyMap<number, string>
  onRetry: () => void
  /** Takes back every choice; undefined when there is none. */
  onReset: (() => void) | undefined
}

/** The first rows of the source, or why there are none. */
export function PreviewRows(props: PreviewRowsProps) {
  const { preview, failure, isReading } = props
  return (
    <div className={classes.frame} aria-busy={isReading} data-busy={isReading || undefined}>
      {failure ? (
        <PreviewError {...props} failure={failure} />
      ) : preview ? (
        <FilledRows preview={preview} markedColumn={props.markedColumn} tags={props.tags} />
      ) : (
        <PreviewSkeleton />
      )}
    </div>
  )
}

function PreviewError({
  failure: { isOfFile, ...failure },
  isReading,
  onRetry,
  onReset,
}: PreviewRowsProps & { failure: PreviewFailure }) {
  return (
    <ErrorState
      {...failure}
      isCompact
      onRetry={onRetry}
      isRetrying={isReading}
      action={
        isOfFile &&
        onReset && (
          <Button size="xs" onClick={onReset}>
            Back to automatic
          </Button>
        )
      }
    />
  )
}

function FilledRows({
  preview,
  markedColumn,
  tags,
}: Pick<PreviewRowsProps, 'markedColumn' | 'tags'> & { preview: SourcePreview }) {
  if (preview.rows.length === 0) {
    return (
      <EmptyState icon={IconTableOff} title="No data available">
        The file has {formatCountOf(preview.columnCount, 'column')} but no rows.
      </EmptyState>
    )
  }
  return (
    <>
      <PreviewTable
        label="Rows of the file"
        columns={preview.columns}
        rows={preview.rows}
        maxHeight="clamp(180px, 90dvh - 420px, 480px)"
        markedColumn={markedColumn}
        tags={tags}
      />
      <MoreInFile
        rowCount={Math.min(HEAD_ROWS, preview.rowsRead) - preview.rows.length}
        columnCount={preview.columnCount - preview.columns.length}
      />
    </>
  )
}

function PreviewSkeleton() {
  return (
    <Stack component="output" gap={14} p="md" aria-label="Loading the preview">
      {['60%', '92%', '84%', '90%', '72%', '88%'].map((width) => (
        <Skeleton key={width} height={12} width={width} />
      ))}
    </Stack>
  )
}
