import { NumberInput, Stack, Switch } from '@mantine/core'
import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form'

import { guardSchema, type Guard } from '../../../shared/schemas/publishing'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { GuardTrial } from './guard-trial'

import classes from './publishing.module.css'

interface GuardDialogProps {
  isOpen: boolean
  connectionId: number
  guard: Guard | undefined
  onClose: () => void
}

/** Changes what holds a new file back, and shows what it would have held. */
export function GuardDialog({ isOpen, onClose, guard, connectionId }: GuardDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Safety checks" size="lg">
      {guard && <GuardForm connectionId={connectionId} guard={guard} onSaved={onClose} />}
    </FormDialog>
  )
}

interface GuardFormProps {
  connectionId: number
  guard: Guard
  onSaved: () => void
}

function GuardForm({ connectionId, guard, onSaved }: GuardFormProps) {
  const utils = trpc.useUtils()
  const form = useForm<Guard>({
    initialValues: guard,
    validate: schemaResolver(guardSchema, { sync: true }),
  })
  const save = trpc.publishing.saveGuard.useMutation({
    onSuccess: ({ message }) => {
      showSuccess(message)
      onSaved()
      void utils.publishing.guard.invalidate()
    },
    onError: (error) => showFailure(error, 'The safety checks could not be saved'),
  })
  return (
    <ValidatedForm
      form={form}
      onSubmit={(changed) => save.mutate({ id: connectionId, guard: changed })}
    >
      <Stack gap="lg">
        <div className={classes.thresholds}>
          <PercentInput
            form={form}
            name="minRowsPercent"
            label="Hold when rows are below"
            description="Percent of the published file"
          />
          <PercentInput
            form={form}
            name="minQuantityPercent"
            label="Hold when the total quantity is below"
            description="Percent of the published file"
          />
          <PercentInput
            form={form}
            name="maxLostKeysPercent"
            label="Hold when more items are gone or sold out"
            description="Percent of the published items"
          />
        </div>
        <Switch
          label="Hold when the column of keys, quantities or categories is gone"
          {...form.getInputProps('needsColumns', { type: 'checkbox' })}
        />
        <GuardTrial connectionId={connectionId} guard={form.values} />
        <FormFooter submitLabel="Save" isPending={save.isPending} />
      </Stack>
    </ValidatedForm>
  )
}

interface PercentInputProps {
  form: UseFormReturnType<Guard>
  name: 'minRowsPercent' | 'minQuantityPercent' | 'maxLostKeysPercent'
  label: string
  description: string
}

/** A percentage; when it is empty, the check is off. */
function PercentInput({ form, name, label, description }: PercentInputProps) {
  const { onChange: _, ...props } = form.getInputProps(name)
  return (
    <NumberInput
      {...props}
      label={label}
      description={`${description}; empty: off`}
      suffix=" %"
      min={1}
      max={100}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      value={form.values[name] ?? ''}
      onChange={(value) => form.setFieldValue(name, value === '' ? null : Number(value))}
    />
  )
}
