import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { IconEye } from '@tabler/icons-react'
import { z } from 'zod'

import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import { NAME_MAX_LENGTH } from '../../../shared/constants'
import type { Connection } from '../../../shared/schemas/connection'
import { nameSchema } from '../../../shared/schemas/primitives'
import { type UpdateSettingsInput, updateSettingsInput } from '../../../shared/schemas/updates'
import { FileDrop } from '../../components/form/file-drop'
import { FormFooter } from '../../components/form/form-footer'
import { SendingHelp } from '../../components/form/sending-help'
import { ValidatedForm } from '../../components/form/validated-form'
import { useFieldErrors } from '../../lib/use-field-errors'
import { ExpectedFilesSelect } from './expected-files-select'
import { ReadingChoice, type Choices } from './reading-choice'
import { SourcePreviewDialog } from './source-preview-dialog'
import { UpdateChoice } from './update-choice'
import { toUpdatesInput, withNextFile } from './update-settings'

export interface SentFileSettings extends Choices {
  name: string
  expectedEveryHours: number | null
  updates: UpdateSettingsInput | null
  /** The first file; null to send one later. */
  file: File | null
}

interface SentFileFormProps {
  connection: Connection | null
  isPending: boolean
  isPreviewOpen: boolean
  preview: { open: () => void; close: () => void }
  /** Error of the last save, null if there is none. */
  error: unknown
  /** Goes back to a connection with an address. */
  onUseAddress: () => void
  onSubmit: (settings: SentFileSettings) => void
}

const validate = schemaResolver(
  z.object({ name: nameSchema('Connection name'), updates: updateSettingsInput.nullable() }),
  { sync: true },
)

/** The settings of a connection without an address, to which files are only sent. */
export function SentFileForm(props: SentFileFormProps) {
  const { connection, preview } = props
  const form = useForm({
    initialValues: startValues(connection),
    validate,
  })
  useFieldErrors(form, props.error)
  const { file, reading, categoryReading } = form.values
  const choices = { reading, categoryReading }
  const setChoices = (chosen: Choices) => form.setValues(chosen)

  function takeFile(chosen: File) {
    form.setFieldValue('file', chosen)
    const isFree = form.values.name.trim() === '' || (file && form.values.name === nameOf(file))
    if (isFree) form.setFieldValue('name', nameOf(chosen))
  }

  return (
    <>
      <ValidatedForm
        form={form}
        onSubmit={({ name, ...values }) =>
          props.onSubmit(withNextFile({ ...values, name: name.trim() }, connection))
        }
      >
        {!connection && (
          <Stack gap={10}>
            <FileDrop label="Your file" file={file} onFile={takeFile} />
            <SendingHelp />
          </Stack>
        )}
        <TextInput label="Connection Name" {...form.getInputProps('name')} />
        <ExpectedFilesSelect
          description={
            form.values.expectedEveryHours === null
              ? undefined
              : 'Your retailers then see that the data are late.'
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('expectedEveryHours')}
          value={form.values.expectedEveryHours}
        />
        <ReadingChoice choices={choices} onChange={setChoices} />
        <UpdateChoice form={form} connection={connection} />
        <Group justify="space-between" gap="xs">
          <Anchor component="button" type="button" fz="sm" onClick={props.onUseAddress}>
            Fetch it from an address instead
          </Anchor>
          {file && (
            <Button
              size="compact-sm"
              variant="light"
              leftSection={<IconEye size={15} aria-hidden="true" />}
              onClick={preview.open}
            >
              Preview
            </Button>
          )}
        </Group>
        <FormFooter
          submitLabel={
            connection ? 'Update Connection' : file ? 'Create and send' : 'Create Connection'
          }
          isPending={props.isPending}
        />
      </ValidatedForm>
      <SourcePreviewDialog
        isOpen={props.isPreviewOpen}
        source={file ? { file, updates: form.values.updates } : undefined}
        choices={choices}
        onUse={(chosen) => {
          setChoices(chosen)
          preview.close()
        }}
        onClose={preview.close}
      />
    </>
  )
}

function startValues(connection: Connection | null): SentFileSettings {
  return {
    name: connection?.name ?? '',
    expectedEveryHours: connection?.expectedEveryHours ?? null,
    file: null,
    updates: toUpdatesInput(connection),
    reading: connection?.reading ?? AUTOMATIC_READING,
    categoryReading: connection?.categoryReading ?? null,
  }
}

/** `stock` for `stock.xlsx`. */
const nameOf = ({ name }: File) => name.replace(/\.[^.]*$/, '').slice(0, NAME_MAX_LENGTH)
