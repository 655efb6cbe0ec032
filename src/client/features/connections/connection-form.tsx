import { Button, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'

import { SYNC_FREQUENCIES } from '../../../shared/constants'
import {
  connectionFormSchema,
  type Connection,
  type ConnectionFormValues,
  type PreviewSourceInput,
} from '../../../shared/schemas/connection'
import type { CategoryReading } from '../../../shared/schemas/file'
import { DeliveryFields } from '../../components/delivery-fields'
import { FormFooter } from '../../components/form-footer'
import { FrequencySelect } from '../../components/frequency-select'
import { ValidatedForm } from '../../components/validated-form'
import { focusFirstInvalid } from '../../lib/form-errors'
import { useRefusal } from '../../lib/use-refusal'
import { AccessFields } from './access-fields'
import { startAuth, toCurrentAuth } from './source-access'
import { SourcePreviewDialog } from './source-preview-dialog'

const REAL_TIME_HINT =
  'The source is checked every minute; unchanged files are not downloaded again.'

const resolve = schemaResolver(connectionFormSchema, { sync: true })
/** What must be right before the source can be asked. */
const SOURCE_FIELDS = /^(?:url|auth)\b/

/** The words by which a refusal of the server finds its field. */
const REFUSALS = {
  name: /connection name/i,
  url: /url|address/i,
  'auth.username': /user name/i,
  'auth.password': /password/i,
  'auth.token': /token/i,
  'auth.name': /header name/i,
  'auth.value': /header value/i,
}

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
  const saved = connection?.config ?? null
  const toCurrent = (values: ConnectionFormValues) => ({
    ...values,
    auth: toCurrentAuth(values.auth, values.url, saved),
  })
  const form = useForm<ConnectionFormValues>({
    initialValues: {
      name: connection?.name ?? '',
      type: connection?.type ?? 'URL',
      url: saved?.url ?? '',
      auth: startAuth(saved?.auth.type ?? 'none', saved),
      fileFormat: connection?.fileFormat ?? 'CSV',
      syncFrequency: connection?.syncFrequency ?? SYNC_FREQUENCIES.DAILY,
    },
    validate: (values) => resolve(toCurrent(values)),
  })
  const [categoryReading, setCategoryReading] = useState<CategoryReading | null>()

  const [previewed, setPreviewed] = useState<PreviewSourceInput>()

  useRefusal(form, props.error, REFUSALS)

  function openPreview() {
    const values = toCurrent(form.values)
    const problems = Object.entries(resolve(values)).filter(([path]) => SOURCE_FIELDS.test(path))
    if (problems.length === 0) {
      const { url, auth } = connectionFormSchema.pick({ url: true, auth: true }).parse(values)
      setPreviewed({ url, auth, ...(connection && { connectionId: connection.id }) })
      props.preview.open()
    } else {
      const errors = Object.fromEntries(problems)
      form.setErrors(errors)
      focusFirstInvalid(form, errors)
    }
  }

  return (
    <>
      <ValidatedForm
        form={form}
        onSubmit={(values) =>
          props.onSubmit({ ...connectionFormSchema.parse(toCurrent(values)), categoryReading })
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
        <AccessFields form={form} saved={saved} />
        <FormFooter
          submitLabel={connection ? 'Update Connection' : 'Create Connection'}
          isPending={props.isPending}
          onCancel={props.onCancel}
        />
      </ValidatedForm>
      <SourcePreviewDialog
        isOpen={props.isPreviewOpen}
        source={previewed}
        chosenReading={
          categoryReading === undefined ? connection?.categoryReading : categoryReading
        }
        onChooseReading={setCategoryReading}
        onClose={props.preview.close}
      />
    </>
  )
}
