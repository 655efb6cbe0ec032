import { Checkbox, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'

import { DEFAULT_RETAILER_SYNC_FREQUENCY } from '../../../shared/constants'
import { formatCountOf } from '../../../shared/format'
import type { ListedGroup, RetailerGroup } from '../../../shared/schemas/group'
import type { RetailerPriceRules } from '../../../shared/schemas/price-rules'
import type { VisibilitySettings } from '../../../shared/schemas/retailer'
import { FormDialog } from '../../components/dialog/form-dialog'
import { LoadError } from '../../components/feedback/message-state'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'
import { InvitedFormatFields, type InvitedFormat } from './invited-format'
import { useNoProductsWarning } from './no-products-warning'
import { RetailerFrequency } from './retailer-frequency'
import { RetailerPriceFields } from './retailer-price-fields'
import { useFileCategories } from './use-file-categories'
import { VisibilityFields } from './visibility-fields'

interface GroupDialogProps {
  isOpen: boolean
  /** The group to change; null for a new one. */
  group: ListedGroup | null
  onClose: () => void
}

/** Adds a group, or changes one and with it all of its members. */
export function GroupDialog({ isOpen, group, onClose }: GroupDialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      size="lg"
      title={group ? `Group ${group.name}` : 'Add a group'}
    >
      {group ? (
        <LoadedGroup id={group.id} onClose={onClose} />
      ) : (
        <GroupForm group={undefined} onClose={onClose} />
      )}
    </FormDialog>
  )
}

/** The list leaves out the chosen categories. */
function LoadedGroup({ id, onClose }: { id: number; onClose: () => void }) {
  const query = trpc.groups.get.useQuery({ id })
  if (query.data) return <GroupForm group={query.data} onClose={onClose} />
  if (query.isError) {
    return <LoadError isCompact title="The group could not be loaded" query={query} />
  }
  return (
    <Stack component="output" gap="lg" aria-label="Loading the group">
      <Skeleton height={44} radius="md" />
      <Skeleton height={60} radius="md" />
    </Stack>
  )
}

interface Values extends Record<string, unknown> {
  name: string
  visibilitySettings: VisibilitySettings
  syncFrequency: number
  profile: InvitedFormat
  priceRules: RetailerPriceRules | null
  isForNewcomers: boolean
}

interface GroupFormProps {
  group: RetailerGroup | undefined
  onClose: () => void
}

const valuesOf = (group: RetailerGroup | undefined): Values => ({
  name: group?.name ?? '',
  visibilitySettings: group?.visibilitySettings ?? { allProducts: true, categories: [] },
  syncFrequency: group?.syncFrequency ?? DEFAULT_RETAILER_SYNC_FREQUENCY,
  profile: { kind: group?.profile.kind ?? 'asIs', location: group?.profile.location ?? '' },
  priceRules: group?.priceRules ?? null,
  isForNewcomers: group?.isForNewcomers ?? false,
})

/** Options of a shop format that are not in this form stay, while its kind does. */
const toChosenFormat = (group: RetailerGroup | undefined, { kind, location }: InvitedFormat) =>
  group?.profile.kind === kind ? { ...group.profile, location } : { kind, location }

function useSaveGroup({ group, onClose }: GroupFormProps) {
  const utils = trpc.useUtils()
  const done = {
    onSuccess: () => {
      showSuccess(group ? 'Group saved' : 'Group added')
      onClose()
      void utils.groups.invalidate()
      void utils.retailers.invalidate()
    },
    onError: (error: unknown) => showFailure(error),
  }
  const create = trpc.groups.create.useMutation(done)
  const update = trpc.groups.update.useMutation(done)
  const save = ({ profile, ...values }: Values) => {
    const settings = { ...values, profile: toChosenFormat(group, profile) }
    if (group) update.mutate({ id: group.id, ...settings })
    else create.mutate(settings)
  }
  return {
    save,
    error: create.error ?? update.error,
    isPending: create.isPending || update.isPending,
  }
}

function GroupForm(props: GroupFormProps) {
  const { group } = props
  const form = useForm<Values>({
    initialValues: valuesOf(group),
    validate: { name: (name) => (name.trim() === '' ? 'Name is required' : null) },
  })
  const file = useFileCategories()
  const columns = trpc.groups.priceColumns.useQuery()
  const { save, error, isPending } = useSaveGroup(props)
  useFieldErrors(form, error)
  const { submit, warning } = useNoProductsWarning(file, 'The members of this group', save)
  return (
    <ValidatedForm form={form} onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          label="Name"
          description="Only you see it"
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <VisibilityFields
          file={file}
          {...form.getInputProps('visibilitySettings')}
          value={form.values.visibilitySettings}
        />
        <RetailerFrequency
          {...form.getInputProps('syncFrequency')}
          value={form.values.syncFrequency}
        />
        <InvitedFormatFields form={form} />
        <RetailerPriceFields form={form} rules={form.values.priceRules} columns={columns.data} />
        <Checkbox
          label="Newcomers wait in this group"
          description="Retailers whose request you accept, until you move them"
          {...form.getInputProps('isForNewcomers', { type: 'checkbox' })}
        />
        {group !== undefined && group.memberCount > 0 && (
          <Text fz="sm" c="dimmed">
            Changes take effect at once for {formatCountOf(group.memberCount, 'retailer')}, besides
            settings that a retailer has of its own.
          </Text>
        )}
        <FormFooter submitLabel={group ? 'Save' : 'Add group'} isPending={isPending} />
      </Stack>
      {warning}
    </ValidatedForm>
  )
}
