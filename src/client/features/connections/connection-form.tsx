import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import { SYNC_FREQUENCIES } from '../../../shared/constants'
import {
  connectionFormSchema,
  type Connection,
  type ConnectionFormValues,
  type PreviewSourceInput,
} from '../../../shared/schemas/connection'
import { AccessFields } from '../../components/form/access-fields'
import { DeliveryFields } from '../../components/form/delivery-fields'
import { FormFooter } from '../../components/form/form-footer'
import { FrequencySelect } from '../../components/form/frequency-select'
import type { KnownColumns } from '../../components/form/role-fields'
import { READABLE_FILES, SendingHelp } from '../../components/form/sending-help'
import { TransferFields } from '../../components/form/transfer-fields'
import { UrlInput } from '../../components/form/url-input'
import { ValidatedForm } from '../../components/form/validated-form'
import { focusFirstInvalid } from '../../lib/form-errors'
import { maskedAddressHint } from '../../lib/masked-address-hint'
import {
  accessTypeOf,
  splitAddress,
  startAuth,
  toCurrentAuth,
  toCurrentTransfer,
  toTransferInput,
} from '../../lib/source-access'
import { useFieldErrors } from '../../lib/use-field-errors'
import { withTransfer } from './confirmed-keys'
import { FetchedFrom } from './fetched-from'
import { OverlayChoice } from './overlay-choice'
import { startOverlay, toOverlayInput } from './overlay-settings'
import { ReadingChoice, type Choices } from './reading-choice'
import { RoleChoice } from './role-choice'
import { SampleLink } from './sample-link'
import { SourcePreviewDialog } from './source-preview-dialog'
import { UpdateChoice } from './update-choice'
import { toUpdatesInput, withNextFile } from './update-settings'

const REAL_TIME_HINT =
  'The source is checked every minute; unchanged files are not downloaded again.'

const resolve = schemaResolver(connectionFormSchema, { sync: true })

interface ConnectionFormProps {
  connection: Connection | null
  isPending: boolean
  isPreviewOpen: boolean
  preview: { open: () => void; close: () => void }
  /** Error of the last save, null if there is none; its field errors are shown under the fields. */
  error: unknown
  /** The columns of its published file, if there is one. */
  published?: KnownColumns | undefined
  /** Changes to a connection without an address. */
  onSendInstead: () => void
  /** Likewise, with a file that comes with the product. */
  onTrySample: () => void
  onSubmit: (values: ConnectionFormValues) => void
}

/** The form with what the preview of its source needs. */
function useConnectionForm({ connection, error }: ConnectionFormProps) {
  const saved = connection?.config ?? null
  const toCurrent = (values: ConnectionFormValues) => ({
    ...values,
    config: {
      ...values.config,
      auth: toCurrentAuth(values.config, saved),
      transfer: toTransferInput(values.config),
    },
    overlay: toOverlayInput(values.overlay, connection),
  })
  const form = useForm<ConnectionFormValues>({
    initialValues: startValues(connection),
    validate: (values) => resolve(toCurrent(values)),
    onValuesChange(values, previous) {
      for (const path of ['config', 'overlay'] as const) {
        const { [path]: source } = values
        if (!source) continue
        const known = connection?.[path] ?? null
        const type = accessTypeOf(source)
        if (type !== source.auth.type) form.setFieldValue(`${path}.auth`, startAuth(type, known))
        const transfer = toCurrentTransfer(source, previous[path]?.url ?? '', known)
        if (transfer !== source.transfer) form.setFieldValue(`${path}.transfer`, transfer)
      }
    },
  })
  useFieldErrors(form, error)

  const saidCategories = form.values.categoryReading
  const savedCategories = connection?.categoryReading ?? null
  const choices: Choices = {
    reading: form.values.reading,
    categoryReading: saidCategories === undefined ? savedCategories : saidCategories,
    columnRoles: form.values.columnRoles,
  }

  function takeOver({ reading, categoryReading, columnRoles }: Choices) {
    form.setFieldValue('reading', reading)
    form.setFieldValue('columnRoles', columnRoles)
    // Unset until it is chosen: a new URL resets it.
    if (categoryReading !== choices.categoryReading) {
      form.setFieldValue('categoryReading', categoryReading)
    }
  }

  /** undefined: something is wrong with it, which the form now shows. */
  function readSource(): PreviewSourceInput | undefined {
    const values = toCurrent(form.values)
    const problems = Object.entries(resolve(values)).filter(([path]) =>
      /^(?:config|updates|overlay)\./.test(path),
    )
    if (problems.length === 0) {
      const source = connectionFormSchema.shape.config.parse(values.config)
      const { shape } = connectionFormSchema
      const updates = shape.updates.parse(values.updates)
      const overlay = shape.overlay.parse(values.overlay)
      return { ...source, updates, overlay, ...(connection && { connectionId: connection.id }) }
    }
    const errors = Object.fromEntries(problems)
    form.setErrors(errors)
    focusFirstInvalid(form, errors)
    return undefined
  }

  const toInput = (values: ConnectionFormValues) =>
    withNextFile(connectionFormSchema.parse(toCurrent(values)), connection)
  return { form, saved, choices, takeOver, readSource, toInput }
}

export function ConnectionForm(props: ConnectionFormProps) {
  const { connection } = props
  const { form, saved, choices, takeOver, readSource, toInput } = useConnectionForm(props)
  const [previewed, setPreviewed] = useState<PreviewSourceInput>()
  const [known, setKnown] = useState<KnownColumns>()
  const isCsv = form.values.fileFormat === 'CSV'

  function openPreview() {
    const source = readSource()
    if (!source) return
    setPreviewed(source)
    props.preview.open()
  }

  return (
    <>
      <ValidatedForm form={form} onSubmit={(values) => props.onSubmit(toInput(values))}>
        <TextInput label="Connection Name" {...form.getInputProps('name')} />
        <DeliveryFields
          methodLabel="Connection Type"
          isLocked={connection !== null}
          method={form.getInputProps('type')}
          format={form.getInputProps('fileFormat')}
        />
        <UrlInput
          label="URL"
          placeholder="https://example.com/inventory.csv"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={
            <>
              {maskedAddressHint(saved?.url) ??
                `${READABLE_FILES}; at https://, sftp://, ftps://, ftp:// or s3://`}
              <FetchedFrom address={form.values.config.url} />
            </>
          }
          rightSectionWidth={isCsv ? 100 : 0}
          rightSection={isCsv && <PreviewButton onClick={openPreview} />}
          {...form.getInputProps('config.url')}
          onBlur={() => {
            const parts = splitAddress(form.values.config)
            if (parts) form.setFieldValue('config', parts)
          }}
        />
        <Stack gap={8} mt={-8}>
          <SendingHelp />
          <Anchor component="button" type="button" fz="sm" ta="start" onClick={props.onSendInstead}>
            No address? Send the file instead.
          </Anchor>
          {!connection && <SampleLink onClick={props.onTrySample} />}
        </Stack>
        <FrequencySelect
          description={form.values.syncFrequency === 0 ? REAL_TIME_HINT : undefined}
          {...form.getInputProps('syncFrequency')}
          value={form.values.syncFrequency}
        />
        <AccessFields form={form} path="config" source={form.values.config} saved={saved} />
        <TransferFields form={form} path="config" source={form.values.config} />
        {isCsv && <ReadingChoice choices={choices} onChange={takeOver} />}
        {isCsv && (
          <RoleChoice
            roles={choices.columnRoles}
            known={known ?? props.published}
            onChange={(columnRoles) => form.setFieldValue('columnRoles', columnRoles)}
          />
        )}
        <UpdateChoice form={form} connection={connection} />
        {form.values.overlay && (
          <OverlayChoice
            form={form}
            overlay={form.values.overlay}
            saved={connection?.overlay ?? null}
          />
        )}
        <FormFooter
          submitLabel={connection ? 'Update Connection' : 'Create Connection'}
          isPending={props.isPending}
        />
      </ValidatedForm>
      <SourcePreviewDialog
        isOpen={props.isPreviewOpen}
        source={previewed}
        choices={choices}
        onUse={(chosen, found) => {
          takeOver(chosen)
          setKnown(found)
          props.preview.close()
        }}
        onConfirmKey={({ part, hostKeys }) => {
          const transfer = { ...form.values[part]?.transfer, hostKeys }
          form.setFieldValue(`${part}.transfer`, transfer)
          setPreviewed((source) => source && withTransfer(source, part, transfer))
        }}
        onClose={props.preview.close}
      />
    </>
  )
}

const PreviewButton = ({ onClick }: { onClick: () => void }) => (
  <Button
    size="compact-sm"
    variant="light"
    leftSection={<IconEye size={15} aria-hidden="true" />}
    onClick={onClick}
  >
    Preview
  </Button>
)

/** The saved values, or empty ones. `categoryReading` is unset until the user chooses a column. */
function startValues(connection: Connection | null): ConnectionFormValues {
  const saved = connection?.config ?? null
  return {
    name: connection?.name ?? '',
    type: connection?.type ?? 'URL',
    config: {
      url: saved?.url ?? '',
      auth: startAuth(saved?.auth.type ?? 'none', saved),
      transfer: saved?.transfer,
    },
    fileFormat: connection?.fileFormat ?? 'CSV',
    syncFrequency: connection?.syncFrequency ?? SYNC_FREQUENCIES.DAILY,
    reading: connection?.reading ?? AUTOMATIC_READING,
    columnRoles: connection?.columnRoles ?? AUTOMATIC_ROLES,
    updates: toUpdatesInput(connection),
    overlay: startOverlay(connection),
  }
}
