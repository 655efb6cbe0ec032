import { Button, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import type { z } from 'zod'

import { SYNC_FREQUENCIES } from '../../../shared/constants'
import { connectionFormSchema, type Connection } from '../../../shared/schemas/connection'
import type { CategoryReading } from '../../../shared/schemas/file'
import { sourceUrlSchema } from '../../../shared/schemas/primitives'
import { DeliveryFields } from '../../components/delivery-fields'
import { FormFooter } from '../../components/form-footer'
import { FrequencySelect } from '../../components/frequency-select'
import { ValidatedForm } from '../../components/validated-form'
import { useRefusal } from '../../lib/use-refusal'
import { SourcePreviewDialog } from './source-preview-dialog'

const REAL_TIME_HINT =
  'The source is checked every minute; unchanged files are not downloaded again.'

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

  useRefusal(form, props.error, { name: /connection name/i, url: /url|address/i })

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
      <ValidatedForm
        form={form}
        onSubmit={(values) =>
          props.onSubmit({ ...connectionFormSchema.parse(values), categoryReading })
        }
      >
        <TextInput label="Connection Name" data-autofocus {...form.getInputProps('name')} />
        <DeliveryFields
          methodLabel="Connection Type"
          isLocked={connection !== null}
          value={{ connectionType: form.values.type, fileFormat: form.values.fileFormat }}
          onChange={({ connectionType, fileFormat }) =>
            form.setValues({ type: connectionType, fileFormat })
          }
        />
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
        <FrequencySelect
          minutes={form.values.syncFrequency}
          description={form.values.syncFrequency === 0 ? REAL_TIME_HINT : undefined}
          onChange={(minutes) => form.setFieldValue('syncFrequency', minutes)}
        />
        <FormFooter
          submitLabel={connection ? 'Update Connection' : 'Create Connection'}
          isPending={props.isPending}
          onCancel={props.onCancel}
        />
      </ValidatedForm>
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
