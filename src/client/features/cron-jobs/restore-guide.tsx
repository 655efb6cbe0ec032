import { Button, Code, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'

import { formatCountOf, formatFileSize } from '../../../shared/format'
import type { RestorePreview } from '../../../shared/schemas/restore'
import { DialogActions } from '../../components/dialog/dialog-actions'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { ErrorState, LoadError } from '../../components/feedback/message-state'
import { PendingButton } from '../../components/feedback/pending-button'
import { ValidatedForm } from '../../components/form/validated-form'
import { DefinitionList } from '../../components/layout/definition-list'
import { formatDateTime } from '../../lib/time-format'
import { showFailure } from '../../lib/toast'
import { trpc } from '../../trpc'

import classes from './restore-guide.module.css'

interface RestoreGuideProps {
  fileName: string
  onBegun: () => void
  onBack: () => void
}

/** Says what the restore of a backup does, and asks for its name before it begins. */
export function RestoreGuide({ fileName, onBegun, onBack }: RestoreGuideProps) {
  const preview = trpc.restores.preview.useQuery({ fileName }, { staleTime: 0 })
  return (
    <section className={classes.guide} aria-label="Restore a backup">
      {preview.isPending && <LoadingBlock height={240} label="Loading the backup" />}
      {preview.isError && <LoadError title="The backup could not be loaded" query={preview} />}
      {preview.data && (
        <>
          <DefinitionList items={describe(preview.data)} />
          <Text>
            All data become as they were then. {describeLost(preview.data)} The product checks the
            backup first; then nobody can use it for some minutes, and everybody, you too, has to
            sign in again. What is replaced is kept in the data folder.
          </Text>
        </>
      )}
      {preview.data && preview.data.problem !== null ? (
        <ErrorState isCompact title="It cannot be restored now" message={preview.data.problem} />
      ) : (
        preview.data && <NameForm preview={preview.data} onBegun={onBegun} onBack={onBack} />
      )}
      {!preview.data || preview.data.problem !== null ? (
        <DialogActions>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        </DialogActions>
      ) : null}
    </section>
  )
}

interface NameFormProps extends Omit<RestoreGuideProps, 'fileName'> {
  preview: RestorePreview
}

function NameForm({ preview: { filename, name }, onBegun, onBack }: NameFormProps) {
  const form = useForm({
    initialValues: { typedName: '' },
    validate: { typedName: (typed) => (typed.trim() === name ? null : `Type ${name}`) },
  })
  const begin = trpc.restores.begin.useMutation({
    onSuccess: onBegun,
    onError: (error) => showFailure(error, 'The backup could not be restored'),
  })
  return (
    <ValidatedForm
      form={form}
      label="Restore this backup"
      hasFocus
      onSubmit={({ typedName }) => begin.mutate({ fileName: filename, typedName })}
    >
      <TextInput
        label="Name of the backup"
        description={
          <>
            Type <Code>{name}</Code>
          </>
        }
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('typedName')}
      />
      <DialogActions>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <PendingButton type="submit" color="red.8" isPending={begin.isPending}>
          Restore this backup
        </PendingButton>
      </DialogActions>
    </ValidatedForm>
  )
}

const describe = ({ createdAt, productVersion, size, drill }: RestorePreview) => [
  { term: 'Made', value: formatDateTime(createdAt) },
  { term: 'By version', value: productVersion },
  { term: 'Size', value: formatFileSize(size, 1) },
  {
    term: 'Test',
    value:
      drill.finishedAt === null
        ? 'Not tried yet'
        : `${drill.outcome === 'passed' ? 'Passed' : 'Failed'} on ${formatDateTime(drill.finishedAt)}`,
  },
]

function describeLost({ lost: { versions, accounts, retailers } }: RestorePreview): string {
  if (versions + accounts + retailers === 0) {
    return 'No file was published and no account made since; other changes are lost.'
  }
  const counts = [
    formatCountOf(versions, 'published file'),
    formatCountOf(accounts, 'account'),
    formatCountOf(retailers, 'retailer'),
  ]
  return `What was made since is lost: ${counts.join(', ')}, and all other changes.`
}
