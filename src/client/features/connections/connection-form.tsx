import { Button, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { IconEye } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { z } from 'zod'

import {
  CONNECTION_TYPES,
  FILE_FORMATS,
  SYNC_FREQUENCIES,
  USABLE_CONNECTION_TYPES,
  USABLE_FILE_FORMATS,
} from '../../../shared/constants'
import { formatSyncFrequency, syncFrequencyOptions } from '../../../shared/format'
import { connectionFormSchema, type Connection } from '../../../shared/schemas/connection'
import type { CategoryReading } from '../../../shared/schemas/file'
import { sourceUrlSchema } from '../../../shared/schemas/primitives'
import { ComingSoonSelect } from '../../components/coming-soon-select'
import { FormFooter } from '../../components/form-footer'
import { focusFirstInvalid, showServerFieldError } from '../../lib/form-errors'
import { SourcePreviewDialog } from './source-preview-dialog'

type ConnectionFormValues = z.infer<typeof connectionFormSchema>

export interface ConnectionSubmission extends ConnectionFormValues {
  /** undefined: not chosen here; null: let the next sync detect it. */
  categoryReading: CategoryReading | null | undefined
}

interface ConnectionFormProps {
  connection: Connection | null
  isPending: boolean
  isPreviewOpen: boolean
  preview: { open: () => void; close: () => void }
  /** The server's last refusal. */
  error: unknown
  onCancel: () => void
  onSubmit: (submission: ConnectionSubmission) => void
}

export function ConnectionForm(props: ConnectionFormProps) {
  const { connection } = props
  const form = useForm<ConnectionFormValues>({
    initialValues: {
      name: connection?.name ?? '',
      type: connection?.type ?? 'URL',
      url: connection?.config.url ?? '',
      fileFormat: connection?.fileFormat ?? 'CSV',
      syncFrequency: connection?.syncFrequency ?? SYNC_FREQUENCIES.DAILY,
    },
    validate: schemaResolver(connectionFormSchema, { sync: true }),
  })
  const [categoryReading, setCategoryReading] = useState<CategoryReading | null>()

  useEffect(() => {
    if (props.error) {
      showServerFieldError(form, props.error, { name: /connection name/i, url: /url|address/i })
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once per refusal
  }, [props.error])

  function openPreview() {
    const verdict = sourceUrlSchema.safeParse(form.values.url)
    if (verdict.success) {
      props.preview.open()
    } else {
      form.setFieldError('url', verdict.error.issues[0]?.message)
      form.getInputNode('url')?.focus()
    }
  }

  return (
    <>
      <form
        noValidate
        onSubmit={form.onSubmit(
          (values) => props.onSubmit({ ...connectionFormSchema.parse(values), categoryReading }),
          (errors) => focusFirstInvalid(form, errors),
        )}
      >
        <Stack gap="md">
          <TextInput label="Connection Name" data-autofocus {...form.getInputProps('name')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <ComingSoonSelect
              label="Connection Type"
              options={CONNECTION_TYPES}
              usable={USABLE_CONNECTION_TYPES}
              disabled={connection !== null}
              {...form.getInputProps('type')}
            />
            <ComingSoonSelect
              label="File Format"
              options={FILE_FORMATS}
              usable={USABLE_FILE_FORMATS}
              disabled={connection !== null}
              {...form.getInputProps('fileFormat')}
            />
          </SimpleGrid>
          <TextInput
            label="URL"
            type="url"
            inputMode="url"
            placeholder="https://example.com/inventory.csv"
            rightSectionWidth={form.values.fileFormat === 'CSV' ? 100 : 0}
            rightSection={
              form.values.fileFormat === 'CSV' && (
                <Button
                  size="compact-sm"
                  variant="light"
                  leftSection={<IconEye size={15} aria-hidden="true" />}
                  onClick={openPreview}
                >
                  Preview
                </Button>
              )
            }
            {...form.getInputProps('url')}
          />
          <SyncFrequencySelect
            value={form.values.syncFrequency}
            onChange={(minutes) => form.setFieldValue('syncFrequency', minutes)}
          />
          <FormFooter
            submitLabel={connection ? 'Update Connection' : 'Create Connection'}
            isPending={props.isPending}
            onCancel={props.onCancel}
          />
        </Stack>
      </form>
      <SourcePreviewDialog
        isOpen={props.isPreviewOpen}
        url={form.values.url.trim()}
        chosenReading={
          categoryReading === undefined ? connection?.categoryReading : categoryReading
        }
        onChooseReading={setCategoryReading}
        onClose={props.preview.close}
      />
    </>
  )
}

/** A stored value that is none of the options joins them. */
function SyncFrequencySelect(props: { value: number; onChange: (minutes: number) => void }) {
  const options = syncFrequencyOptions()
  if (!options.some(({ value }) => value === props.value)) {
    options.push({ value: props.value, label: formatSyncFrequency(props.value) })
  }
  return (
    <Select
      label="Sync Frequency"
      description={
        props.value === 0
          ? 'The source is checked every minute; unchanged files are not downloaded again.'
          : undefined
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      data={options.map(({ value, label }) => ({ value: String(value), label }))}
      value={String(props.value)}
      onChange={(minutes) => minutes !== null && props.onChange(Number(minutes))}
    />
  )
}
