import { Button, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'

import { storeUrlToHref } from '../../../shared/schemas/primitives'
import {
  storeDetailsFormSchema,
  type Retailer,
  type StoreDetailsForm,
} from '../../../shared/schemas/retailer'
import { DefinitionList } from '../../components/definition-list'
import { ExternalLink } from '../../components/external-link'
import { FormDialog } from '../../components/form-dialog'
import { FormFooter } from '../../components/form-footer'
import { Panel } from '../../components/panel'
import { ValidatedForm } from '../../components/validated-form'
import { errorMessage } from '../../lib/error-message'
import { showError, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'

/** A retailer's Store Information card with its edit dialog. */
export function StoreInformationCard({ retailer }: { retailer: Retailer | null }) {
  const [isOpen, dialog] = useDisclosure(false)
  const href = retailer?.storeUrl ? storeUrlToHref(retailer.storeUrl) : undefined
  return (
    <>
      <Panel
        title="Store Information"
        actions={
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={14} aria-hidden="true" />}
            onClick={dialog.open}
          >
            Edit Store Information
          </Button>
        }
      >
        <DefinitionList
          items={[
            { term: 'Store Name', value: retailer?.storeName || 'Not configured' },
            ...(retailer?.storeUrl && href
              ? [
                  {
                    term: 'Website',
                    value: <ExternalLink href={href}>{retailer.storeUrl}</ExternalLink>,
                  },
                ]
              : []),
          ]}
        />
      </Panel>
      <FormDialog isOpen={isOpen} onClose={dialog.close} title="Edit Store Information">
        <StoreInformationForm retailer={retailer} onClose={dialog.close} />
      </FormDialog>
    </>
  )
}

interface StoreInformationFormProps {
  retailer: Retailer | null
  onClose: () => void
}

function StoreInformationForm({ retailer, onClose }: StoreInformationFormProps) {
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
    onError: (error) => showError(errorMessage(error)),
  })
  useFieldErrors(form, update.error)
  const submit = (values: StoreDetailsForm) =>
    retailer
      ? update.mutate({ id: retailer.id, ...storeDetailsFormSchema.parse(values) })
      : showError('No retailer data available')
  return (
    <ValidatedForm form={form} onSubmit={submit}>
      <TextInput label="Store Name" data-autofocus {...form.getInputProps('storeName')} />
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
