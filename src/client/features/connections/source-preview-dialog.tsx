import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'

import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import { HEAD_ROWS } from '../../../shared/constants'
import type { SourcePreview } from '../../../shared/schemas/connection'
import { FormDialog } from '../../components/dialog/form-dialog'
import { HostKeyPanel } from '../../components/form/host-key-panel'
import type { KnownColumns } from '../../components/form/role-fields'
import { useReportChanges } from '../../lib/dialog-form'
import { confirmKey, type ConfirmedKeys, keysOf } from './confirmed-keys'
import { isMemberMissing } from './part-fields'
import { ReadingChoice, type Choices, type Found } from './reading-choice'
import { isAutomatic } from './reading-labels'
import { RoleChoice } from './role-choice'
import { isRoleAsked, RoleProblems } from './role-problems'
import { isSampleFile } from './sample-file'
import { listRoles, tagColumns, toKnownColumns } from './shown-roles'
import { SourceFindings } from './source-findings'
import { toPreviewFailure } from './source-preview-failure'
import { PreviewFooter } from './source-preview-footer'
import { PreviewRows } from './source-preview-rows'
import { type PreviewedSource, useSourcePreview } from './use-source-preview'

import classes from './source-preview-dialog.module.css'

interface SourcePreviewDialogProps {
  isOpen: boolean
  source: PreviewedSource | undefined
  /** The choices of the connection, which those in the dialog begin with. */
  choices: Choices
  /** Takes over what was chosen in the dialog. */
  onUse: (choices: Choices, known: KnownColumns | undefined) => void
  /** Takes over the keys by which a server is known, once the one that it shows is confirmed. */
  onConfirmKey?: ((confirmed: ConfirmedKeys) => void) | undefined
  /** Of the button that does so. */
  useLabel?: string | undefined
  /** Whether what was taken over is being saved. */
  isSaving?: boolean
  onClose: () => void
}

/** Shows what a sync would read from the source, and lets the supplier decide how it is read. */
export function SourcePreviewDialog({
  isOpen,
  source,
  onClose,
  ...props
}: SourcePreviewDialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      size={1180}
      title={isSent(source) ? 'File Preview' : 'CSV Preview'}
    >
      {source && <SourcePreviewBody {...props} source={source} />}
    </FormDialog>
  )
}

const isSent = (source: PreviewedSource | undefined) => source !== undefined && 'file' in source

const isSampleSource = (source: PreviewedSource) => 'file' in source && isSampleFile(source.file)

type BodyProps = Pick<
  SourcePreviewDialogProps,
  'choices' | 'onUse' | 'onConfirmKey' | 'useLabel' | 'isSaving'
> & {
  source: PreviewedSource
}

function SourcePreviewBody({ source, onUse, useLabel, isSaving = false, ...props }: BodyProps) {
  const { onConfirmKey } = props
  const [first] = useState(props.choices)
  const [choices, setChoices] = useState(first)
  const { query, last, isReading } = useSourcePreview(source, choices)
  const isChosen = !isAutomatic(choices.reading)
  const preview = query.isError ? undefined : last
  const failure = query.isError
    ? toPreviewFailure(query.error, isSent(source) ? 'sent' : 'fetched')
    : undefined
  const isUnreadable = failure?.isOfFile ?? false
  const shownKey = onConfirmKey && failure?.shownKey
  const mustChoose = isMemberMissing(preview?.parts, choices.reading)
  const problem = preview?.overlay?.problem ?? null
  const hasChanges = choices !== first
  const roles = last ? listRoles(last, choices.columnRoles) : []
  useReportChanges(hasChanges)
  return (
    <Stack gap="md">
      <Text c="dimmed">
        The first {HEAD_ROWS} rows of the file, as a sync would read them. Make sure the format
        matches your expectations before you {isSent(source) ? 'send it' : 'save the connection'}.
        {isSampleSource(source) &&
          ' It is a sample that comes with Stockbridge: its items are made up.'}
      </Text>
      {preview && (
        <Stack gap="md" className={classes.stale} data-busy={isReading || undefined}>
          <SourceFindings preview={preview} columnRoles={choices.columnRoles} />
          {problem !== null && (
            <Alert
              role="alert"
              color="red"
              icon={<IconAlertTriangle size={18} aria-hidden="true" />}
              title="The second address is not joined"
            >
              {problem}
            </Alert>
          )}
          <RoleProblems roles={roles} />
        </Stack>
      )}
      {(last || isChosen || isUnreadable) && (
        <ReadingChoice
          choices={choices}
          onChange={setChoices}
          found={last && toFound(last)}
          unreadable={failure?.form}
          isSuspicious={isUnreadable || isGuess(preview)}
        />
      )}
      {last && (
        <RoleChoice
          roles={choices.columnRoles}
          known={toKnownColumns(last)}
          isAsked={roles.some(isRoleAsked)}
          onChange={(columnRoles) => setChoices({ ...choices, columnRoles })}
        />
      )}
      {shownKey ? (
        <HostKeyPanel
          shown={shownKey}
          confirmed={keysOf(source, shownKey.part)}
          isPending={isReading}
          onConfirm={() => onConfirmKey(confirmKey(source, shownKey))}
        />
      ) : (
        <PreviewRows
          preview={preview}
          failure={failure}
          isReading={isReading}
          markedColumn={(choices.categoryReading ?? last?.categoryReading)?.column ?? null}
          tags={tagColumns(preview?.columns ?? [], roles)}
          onRetry={() => void query.refetch()}
          onReset={
            isChosen ? () => setChoices({ ...choices, reading: AUTOMATIC_READING }) : undefined
          }
        />
      )}
      <PreviewFooter
        isUnreadable={isUnreadable}
        hasChanges={hasChanges}
        isReading={isReading && (last !== undefined || query.isError)}
        isUsable={preview !== undefined && problem === null && !isReading && !mustChoose}
        mustChoose={mustChoose}
        isSaving={isSaving}
        useLabel={useLabel}
        onUse={() => onUse(choices, last && toKnownColumns(last))}
      />
    </Stack>
  )
}

function toFound(preview: SourcePreview): Found {
  const { found, parts, dialect, categoryReading, categoryColumns, categoryExamples } = preview
  const form = dialect.origin?.form
  return {
    reading: found,
    parts,
    form,
    categoryReading,
    columns: categoryColumns,
    categoryExamples,
  }
}

/** Whether something of the reading is a guess that the supplier should check. */
function isGuess(preview: SourcePreview | undefined): boolean {
  return preview?.problems.some(({ setting }) => setting !== undefined) ?? false
}
