import { Select, Stack } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'

import {
  chosenProfileSchema,
  type FileProfile,
  type ProfileChoice,
} from '../../../shared/schemas/file-profile'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { errorMessage } from '../../lib/error-message'
import { showError, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { ProfileFields } from './profile-fields'
import { PROFILE_LABELS, profileOptions } from './profile-labels'
import { ProfilePreview } from './profile-preview'

interface ShopFormatDialogProps {
  isOpen: boolean
  retailerId: number
  choice: ProfileChoice | undefined
  onClose: () => void
}

/** Chooses the form in which a shop gets its file, with its first rows as the shop will get them. */
export function ShopFormatDialog({ isOpen, onClose, choice, retailerId }: ShopFormatDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Shop format" size="min(960px, 100%)">
      {choice && <ProfileForm retailerId={retailerId} choice={choice} onSaved={onClose} />}
    </FormDialog>
  )
}

interface ProfileFormProps {
  retailerId: number
  choice: ProfileChoice
  onSaved: () => void
}

function ProfileForm({ retailerId, choice, onSaved }: ProfileFormProps) {
  const utils = trpc.useUtils()
  const form = useForm<FileProfile>({
    initialValues: { ...choice.profile, guardsFormulas: choice.profile.guardsFormulas ?? true },
    validate: schemaResolver(chosenProfileSchema, { sync: true }),
  })
  const save = trpc.profiles.save.useMutation({
    onSuccess: () => {
      showSuccess('Shop format saved')
      onSaved()
      void utils.profiles.get.invalidate({ id: retailerId })
      void utils.retailers.invalidate()
    },
    onError: (error) => showError(errorMessage(error, 'The format could not be saved')),
  })
  const { kind } = form.values
  return (
    <ValidatedForm form={form} onSubmit={(profile) => save.mutate({ id: retailerId, profile })}>
      <Stack gap="lg">
        <Select
          label="Format"
          description={PROFILE_LABELS[kind].description}
          allowDeselect={false}
          maxDropdownHeight={320}
          data={profileOptions}
          {...form.getInputProps('kind')}
        />
        <ProfileFields form={form} columns={choice.columns} />
        <ProfilePreview retailerId={retailerId} profile={form.values} />
        <FormFooter submitLabel="Save" isPending={save.isPending} />
      </Stack>
    </ValidatedForm>
  )
}
