import { useForm } from '@mantine/form'

import type { RetailerPriceRules, RetailerPrices } from '../../../shared/schemas/price-rules'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'
import { RetailerPriceFields } from './retailer-price-fields'

interface PricesDialogProps {
  isOpen: boolean
  retailerId: number
  prices: RetailerPrices
  onClose: () => void
}

/** Changes how the prices are made that a retailer sees. */
export function PricesDialog({ isOpen, onClose, ...props }: PricesDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} size="lg" title="Prices">
      <PricesForm {...props} onClose={onClose} />
    </FormDialog>
  )
}

interface Values extends Record<string, unknown> {
  priceRules: RetailerPriceRules | null
}

function PricesForm({ retailerId, prices, onClose }: Omit<PricesDialogProps, 'isOpen'>) {
  const utils = trpc.useUtils()
  const form = useForm<Values>({ initialValues: { priceRules: prices.priceRules } })
  const save = trpc.retailers.savePrices.useMutation({
    onSuccess: () => {
      showSuccess('Prices saved')
      onClose()
      void utils.retailers.invalidate()
      void utils.groups.invalidate()
      void utils.profiles.invalidate()
    },
    onError: (error) => showFailure(error),
  })
  useFieldErrors(form, save.error)
  return (
    <ValidatedForm form={form} onSubmit={(values) => save.mutate({ id: retailerId, ...values })}>
      <RetailerPriceFields form={form} rules={form.values.priceRules} columns={prices.columns} />
      <FormFooter submitLabel="Save" isPending={save.isPending} />
    </ValidatedForm>
  )
}
