import type { User } from '../../../shared/schemas/user'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { AddSupplierForm, EditSupplierForm } from './supplier-form'

export function AddSupplierDialog({ isOpen, onClose }: DialogProps) {
  const utils = trpc.useUtils()
  const create = trpc.suppliers.create.useMutation({
    onSuccess: () => {
      showSuccess('Supplier created successfully')
      onClose()
      void utils.suppliers.invalidate()
    },
    onError: (error) => showFailure(error, 'Failed to create supplier'),
  })
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Add New Supplier">
      <AddSupplierForm
        isPending={create.isPending}
        error={create.error}
        onSubmit={(values) => create.mutate(values)}
      />
    </FormDialog>
  )
}

export function EditSupplierDialog(props: DialogProps & { supplier: User | null }) {
  const { isOpen, onClose, supplier } = props
  const utils = trpc.useUtils()
  const update = trpc.suppliers.update.useMutation({
    onSuccess: () => {
      showSuccess('Supplier updated successfully')
      onClose()
      void utils.suppliers.invalidate()
    },
    onError: (error) => showFailure(error, 'Failed to update supplier'),
  })
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Edit Supplier">
      {supplier && (
        <EditSupplierForm
          supplier={supplier}
          isPending={update.isPending}
          error={update.error}
          onSubmit={(values) => update.mutate({ id: supplier.id, ...values })}
        />
      )}
    </FormDialog>
  )
}
