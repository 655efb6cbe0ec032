import { Skeleton, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'

import type { ListedRetailer, Retailer } from '../../../shared/schemas/retailer'
import { FormDialog } from '../../components/dialog/form-dialog'
import { LoadError } from '../../components/feedback/message-state'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { trpc } from '../../trpc'
import { RetailerFrequency } from './retailer-frequency'
import { useRetailerSettingsForm } from './use-retailer-settings-form'
import { VisibilityFields } from './visibility-fields'

interface RetailerSettingsDialogProps {
  isOpen: boolean
  retailer: ListedRetailer | null
  onClose: () => void
}

/** Edits a retailer's visibility and sync frequency. */
export function RetailerSettingsDialog(props: RetailerSettingsDialogProps) {
  return (
    <FormDialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      size="lg"
      title={
        <>
          Retailer Settings
          <Text c="dimmed" fw={400}>
            <bdi>{props.retailer?.storeName || 'Unnamed Retailer'}</bdi>
          </Text>
        </>
      }
    >
      <LoadedSettings {...props} />
    </FormDialog>
  )
}

/** Loads the full record, because the list leaves out the chosen categories. */
function LoadedSettings({ retailer, onClose }: RetailerSettingsDialogProps) {
  const query = trpc.retailers.get.useQuery({ id: retailer?.id ?? 0 }, { enabled: !!retailer })
  if (retailer && !query.data) {
    if (query.isError) {
      return <LoadError isCompact title="The settings could not be loaded" query={query} />
    }
    return (
      <Stack component="output" gap="lg" aria-label="Loading the settings">
        <Skeleton height={44} radius="md" />
        <Skeleton height={60} radius="md" />
      </Stack>
    )
  }
  return <SettingsForm retailer={query.data} onClose={onClose} />
}

interface SettingsFormProps {
  retailer: Retailer | undefined
  onClose: () => void
}

type Settings = Pick<Retailer, 'visibilitySettings' | 'syncFrequency'>

function SettingsForm({ retailer, onClose }: SettingsFormProps) {
  const form = useForm<Settings>({
    initialValues: {
      visibilitySettings: retailer?.visibilitySettings ?? { allProducts: true, categories: [] },
      syncFrequency: retailer?.syncFrequency ?? 0,
    },
  })
  const { file, isPending, submit, warning } = useRetailerSettingsForm(form, retailer, onClose)
  return (
    <ValidatedForm form={form} onSubmit={submit}>
      <Stack gap="lg">
        <VisibilityFields
          file={file}
          {...form.getInputProps('visibilitySettings')}
          value={form.values.visibilitySettings}
        />
        <RetailerFrequency
          {...form.getInputProps('syncFrequency')}
          value={form.values.syncFrequency}
        />
        <FormFooter submitLabel="Save" isPending={isPending} />
      </Stack>
      {warning}
    </ValidatedForm>
  )
}
