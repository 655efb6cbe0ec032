import { Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'

import { formatCountOf } from '../../../shared/format'
import type { DirectoryCard } from '../../../shared/schemas/directory'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useLastOwnRetailer } from '../../session/relation'
import { trpc } from '../../trpc'

interface RequestDialogProps {
  isOpen: boolean
  card: DirectoryCard | null
  onClose: () => void
}

/** Asks a supplier for its files. */
export function RequestDialog({ isOpen, card, onClose }: RequestDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={`Request access to ${card?.name ?? ''}`}>
      {card && <RequestForm card={card} onClose={onClose} />}
    </FormDialog>
  )
}

function RequestForm({ card, onClose }: { card: DirectoryCard; onClose: () => void }) {
  const own = useLastOwnRetailer({ enabled: true })
  const form = useForm({
    initialValues: {
      storeName: own.data?.storeName ?? '',
      storeUrl: own.data?.storeUrl ?? '',
      message: '',
    },
    validate: { storeName: (name) => (name.trim() === '' ? 'Store name is required' : null) },
  })
  const utils = trpc.useUtils()
  const ask = trpc.directory.request.useMutation({
    onSuccess: () => {
      showSuccess(`${card.name} has been asked`)
      onClose()
    },
    onError: (error) => showFailure(error),
    onSettled: () => void utils.directory.invalidate(),
  })
  useFieldErrors(form, ask.error)
  return (
    <ValidatedForm form={form} onSubmit={(values) => ask.mutate({ card: card.card, ...values })}>
      <Text fz="sm" c="dimmed">
        The supplier sees what you enter here, and nothing else of you. If it accepts, you choose
        between your suppliers at the top of the page.
        <Colleagues />
      </Text>
      <TextInput label="Store Name" {...form.getInputProps('storeName')} />
      <TextInput
        label="Store URL"
        description="Optional"
        inputMode="url"
        {...form.getInputProps('storeUrl')}
      />
      <Textarea
        label="Message"
        description="Optional, for example what you sell, and where"
        rows={4}
        maxLength={600}
        {...form.getInputProps('message')}
      />
      <FormFooter submitLabel="Send request" isPending={ask.isPending} />
    </ValidatedForm>
  )
}

/** Who of the company sees the request, and then the files. Nothing for somebody who is alone. */
function Colleagues() {
  const people = trpc.people.list.useQuery({}).data ?? []
  const others = people.filter(({ isActive, isSelf }) => isActive && !isSelf)
  if (others.length === 0) return null
  const names = others.map(({ displayName, username }) => displayName || username)
  return (
    <>
      {' '}
      Your colleagues <bdi>{listOf(names)}</bdi> see the request, and the supplier’s inventory then.
    </>
  )
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })
const MOST_NAMED = 10

const listOf = (names: readonly string[]) =>
  LIST.format(
    names.length > MOST_NAMED
      ? [...names.slice(0, MOST_NAMED), formatCountOf(names.length - MOST_NAMED, 'other')]
      : names,
  )
