import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import { NAME_MAX_LENGTH } from '../../../shared/constants'
import { SAMPLE_NAME } from '../../../shared/sample-file'
import type { Connection } from '../../../shared/schemas/connection'
import { nameSchema } from '../../../shared/schemas/primitives'
import { type UpdateSettingsInput, updateSettingsInput } from '../../../shared/schemas/updates'
import { FileDrop } from '../../components/form/file-drop'
import { FormFooter } from '../../components/form/form-footer'
import type { KnownColumns } from '../../components/form/role-fields'
import { SendingHelp } from '../../components/form/sending-help'
import { ValidatedForm } from '../../components/form/validated-form'
import { useFieldErrors } from '../../lib/use-field-errors'
import { ExpectedFilesSelect } from './expected-files-select'
import { ReadingChoice, type Choices } from './reading-choice'
import { RoleChoice } from './role-choice'
import { createSampleFile, isSampleFile } from './sample-file'
import { SampleLink } from './sample-link'
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
  /** The columns of its published file, if there is one. */
  published?: KnownColumns | undefined
  /** Whether it begins with the file that comes with the product. */
  isSample?: boolean
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
  const [known, setKnown] = useState<KnownColumns>()
  const form = useForm({
    initialValues: startValues(connection, props.isSample),
    validate,
  })
  useFieldErrors(form, props.error)
  const { file, reading, categoryReading, columnRoles } = form.values
  const choices = { reading, categoryReading, columnRoles }
  const setChoices = (chosen: Choices) => form.setValues(chosen)

  function takeFile(chosen: File) {
    form.setFieldValue('file', chosen)
    setKnown(undefined)
    const isFree = form.values.name.trim() === '' || (file && form.values.name === nameOf(file))
    if (isFree) form.setFieldValue('name', nameOf(chosen))
  }

  function trySample() {
    takeFile(createSampleFile())
    preview.open()
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
            {file && isSampleFile(file) ? (
              <Text c="dimmed" fz="sm">
                A sample with made-up items. Your own file takes its place whenever you send it.
              </Text>
            ) : (
              <SampleLink onClick={trySample} />
            )}
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
        <RoleChoice
          roles={columnRoles}
          known={known ?? props.published}
          onChange={(roles) => form.setFieldValue('columnRoles', roles)}
        />
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
        useLabel={file && isSampleFile(file) ? 'Use the sample' : undefined}
        onUse={(chosen, found) => {
          setChoices(chosen)
          setKnown(found)
          preview.close()
        }}
        onClose={preview.close}
      />
    </>
  )
}

function startValues(connection: Connection | null, isSample = false): SentFileSettings {
  return {
    name: connection?.name ?? (isSample ? SAMPLE_NAME : ''),
    expectedEveryHours: connection?.expectedEveryHours ?? null,
    file: isSample ? createSampleFile() : null,
    updates: toUpdatesInput(connection),
    reading: connection?.reading ?? AUTOMATIC_READING,
    categoryReading: connection?.categoryReading ?? null,
    columnRoles: connection?.columnRoles ?? AUTOMATIC_ROLES,
  }
}

/** `stock` for `stock.xlsx`. */
const nameOf = (file: File) =>
  isSampleFile(file) ? SAMPLE_NAME : file.name.replace(/\.[^.]*$/, '').slice(0, NAME_MAX_LENGTH)
