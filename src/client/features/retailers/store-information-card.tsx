import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { useEffect } from 'react'
import type { z } from 'zod'

import { storeUrlToHref } from '../../../shared/schemas/primitives'
import { storeDetailsInput, type Retailer } from '../../../shared/schemas/retailer'
import { DefinitionList } from '../../components/definition-list'
import { ExternalLink } from '../../components/external-link'
import { FormFooter } from '../../components/form-footer'
import { Panel } from '../../components/panel'
import { errorMessage } from '../../lib/error-message'
import { focusFirstInvalid, showServerFieldError } from '../../lib/form-errors'
import { showError, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

const storeFormSchema = storeDetailsInput
  .omit({ id: true })
  .extend({ storeUrl: storeDetailsInput.shape.storeUrl.unwrap().unwrap() })
type StoreForm = z.infer<typeof storeFormSchema>

/** §2: a retailer's Store Information card with its dialog. */
export function StoreInformationCard({ retailer }: { retailer: Retailer | undefined }) {
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
      <Modal opened={isOpen} onClose={dialog.close} title="Edit Store Information">
        <StoreInformationForm retailer={retailer} onClose={dialog.close} />
      </Modal>
    </>
  )
}

interface StoreInformationFormProps {
  retailer: Retailer | undefined
  onClose: () => void
}

function StoreInformationForm({ retailer, onClose }: StoreInformationFormProps) {
  const utils = trpc.useUtils()
  const form = useForm<StoreForm>({
    initialValues: { storeName: retailer?.storeName ?? '', storeUrl: retailer?.storeUrl ?? '' },
    validate: schemaResolver(storeFormSchema, { sync: true }),
  })
  const update = trpc.retailers.updateStoreInfo.useMutation({
    onSuccess: () => {
      showSuccess('Store information updated')
      onClose()
      void utils.retailers.list.invalidate()
    },
    onError: (error) => showError(errorMessage(error)),
  })
  useEffect(() => {
    if (update.error) {
      showServerFieldError(form, update.error, {
        storeName: /store name/i,
        storeUrl: /url|address/i,
      })
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once per refusal
  }, [update.error])
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) =>
          retailer
            ? update.mutate({ id: retailer.id, ...storeFormSchema.parse(values) })
            : showError('No retailer data available'),
        (errors) => focusFirstInvalid(form, errors),
      )}
    >
      <Stack gap="md">
        <TextInput label="Store Name" data-autofocus {...form.getInputProps('storeName')} />
        <TextInput
          label="Store Website"
          description="Without http:// or https://, for example shop.example"
          inputMode="url"
          placeholder="shop.example"
          {...form.getInputProps('storeUrl')}
        />
        <FormFooter submitLabel="Save" isPending={update.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}
