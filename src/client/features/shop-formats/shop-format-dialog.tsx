import { Select, Stack } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'

import {
  chosenShopFormatSchema,
  type ShopFormat,
  type ShopFormatChoice,
} from '../../../shared/schemas/shop-format'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { ShopFormatFields } from './format-fields'
import { SHOP_FORMAT_LABELS, shopFormatOptions } from './format-labels'
import { ShopFormatPreview } from './format-preview'

interface ShopFormatDialogProps {
  isOpen: boolean
  retailerId: number
  choice: ShopFormatChoice | undefined
  onClose: () => void
}

/** Chooses the form in which a shop gets its file, with its first rows as the shop will get them. */
export function ShopFormatDialog({ isOpen, onClose, choice, retailerId }: ShopFormatDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Shop format" size="min(960px, 100%)">
      {choice && <ShopFormatForm retailerId={retailerId} choice={choice} onSaved={onClose} />}
    </FormDialog>
  )
}

interface ShopFormatFormProps {
  retailerId: number
  choice: ShopFormatChoice
  onSaved: () => void
}

function ShopFormatForm({ retailerId, choice, onSaved }: ShopFormatFormProps) {
  const utils = trpc.useUtils()
  const form = useForm<ShopFormat>({
    initialValues: { ...choice.profile, guardsFormulas: choice.profile.guardsFormulas ?? true },
    validate: schemaResolver(chosenShopFormatSchema, { sync: true }),
  })
  const save = trpc.profiles.save.useMutation({
    onSuccess: () => {
      showSuccess('Shop format saved')
      onSaved()
      void utils.profiles.get.invalidate({ id: retailerId })
      void utils.retailers.invalidate()
    },
    onError: (error) => showFailure(error, 'The format could not be saved'),
  })
  const { kind } = form.values
  return (
    <ValidatedForm form={form} onSubmit={(profile) => save.mutate({ id: retailerId, profile })}>
      <Stack gap="lg">
        <Select
          label="Format"
          description={SHOP_FORMAT_LABELS[kind].description}
          allowDeselect={false}
          maxDropdownHeight={320}
          data={shopFormatOptions}
          {...form.getInputProps('kind')}
        />
        <ShopFormatFields form={form} columns={choice.columns} />
        <ShopFormatPreview retailerId={retailerId} profile={form.values} />
        <FormFooter submitLabel="Save" isPending={save.isPending} />
      </Stack>
    </ValidatedForm>
  )
}
