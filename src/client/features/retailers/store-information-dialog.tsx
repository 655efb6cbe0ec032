import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'

import {
  storeDetailsFormSchema,
  type Retailer,
  type StoreDetailsForm,
} from '../../../shared/schemas/retailer'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { showError, showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'

interface StoreInformationDialogProps {
  isOpen: boolean
  retailer: Retailer | null
  onClose: () => void
}

/** Changes the name and the website of a retailer's store. */
export function StoreInformationDialog({ isOpen, ...props }: StoreInformationDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={props.onClose} title="Edit Store Information">
      <StoreInformationForm {...props} />
    </FormDialog>
  )
}

function StoreInformationForm({ retailer, onClose }: Omit<StoreInformationDialogProps, 'isOpen'>) {
  const utils = trpc.useUtils()
  const form = useForm<StoreDetailsForm>({
    initialValues: { storeName: retailer?.storeName ?? '', storeUrl: retailer?.storeUrl ?? '' },
    validate: schemaResolver(storeDetailsFormSchema, { sync: true }),
  })
  const update = trpc.retailers.updateStoreInfo.useMutation({
    onSuccess: () => {
      showSuccess('Store information updated')
      onClose()
      void utils.retailers.own.invalidate()
    },
    onError: (error) => showFailure(error),
  })
  useFieldErrors(form, update.error)
  const submit = (values: StoreDetailsForm) =>
    retailer
      ? update.mutate({ id: retailer.id, ...storeDetailsFormSchema.parse(values) })
      : showError('No retailer data available')
  return (
    <ValidatedForm form={form} onSubmit={submit}>
      <TextInput label="Store Name" {...form.getInputProps('storeName')} />
      <TextInput
        label="Store Website"
        description="Without http:// or https://, for example shop.example"
        inputMode="url"
        placeholder="shop.example"
        {...form.getInputProps('storeUrl')}
      />
      <FormFooter submitLabel="Save" isPending={update.isPending} />
    </ValidatedForm>
  )
}
