import { Stack, Switch } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'

import { GONE_DAYS } from '../../../shared/gone-items'
import {
  columnPolicySchema,
  type ColumnPolicy,
  type ColumnSettings,
} from '../../../shared/schemas/column-policy'
import { FormDialog } from '../../components/dialog/form-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { RoleFields } from '../../components/form/role-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { DecimalMarkField } from './decimal-mark-field'
import { StockTextFields } from './stock-text-fields'
import { VisibleColumns } from './visible-columns'

import classes from './column-policy.module.css'

interface ColumnsDialogProps {
  isOpen: boolean
  connectionId: number
  settings: ColumnSettings | undefined
  onClose: () => void
}

/** Decides which columns retailers see, which of them is what, and what is in the quantity column. */
export function ColumnsDialog({ isOpen, onClose, settings, connectionId }: ColumnsDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Columns" size="lg">
      {settings && <PolicyForm connectionId={connectionId} settings={settings} onSaved={onClose} />}
    </FormDialog>
  )
}

interface PolicyFormProps {
  connectionId: number
  settings: ColumnSettings
  onSaved: () => void
}

function PolicyForm({ connectionId, settings, onSaved }: PolicyFormProps) {
  const utils = trpc.useUtils()
  const form = useForm<ColumnPolicy>({
    initialValues: settings.policy,
    validate: schemaResolver(columnPolicySchema, { sync: true }),
  })
  const save = trpc.columnPolicy.save.useMutation({
    onSuccess: () => {
      showSuccess('Columns saved')
      onSaved()
      void utils.columnPolicy.invalidate()
      // By the chosen columns, changes are those of quantities and prices.
      void utils.differences.invalidate()
      void utils.connections.list.invalidate()
    },
    onError: (error) => showFailure(error, 'The columns could not be saved'),
  })
  const { hidden, roles, stockTexts, decimalMark } = form.values
  const quantityColumn = roles.quantity ?? settings.found.quantity
  return (
    <ValidatedForm form={form} onSubmit={(policy) => save.mutate({ id: connectionId, policy })}>
      <Stack gap="xl">
        <VisibleColumns
          columns={settings.columns}
          columnCount={settings.columnCount}
          hidden={hidden}
          onChange={(changed) => form.setFieldValue('hidden', changed)}
        />
        <fieldset className={classes.group}>
          <legend className={classes.title}>What shops are told</legend>
          <p className={classes.note}>
            The formats of retailers’ shops are written from these columns.
          </p>
          <RoleFields
            known={{ names: settings.columns.map(({ name }) => name), found: settings.found }}
            roles={roles}
            onChange={(changed) => form.setFieldValue('roles', changed)}
          />
        </fieldset>
        {quantityColumn !== null && (
          <DecimalMarkField
            column={quantityColumn}
            numbers={settings.numbers}
            value={decimalMark}
            onChange={(changed) => form.setFieldValue('decimalMark', changed)}
          />
        )}
        {quantityColumn !== null && (
          <StockTextFields
            connectionId={connectionId}
            column={quantityColumn}
            value={stockTexts}
            onChange={(changed) => form.setFieldValue('stockTexts', changed)}
          />
        )}
        <Switch
          label={`Keep items that left the file or a category at quantity 0 for ${GONE_DAYS} days`}
          description="In files for shops with quantities, so that no shop sells what is gone"
          {...form.getInputProps('keepsGoneItems', { type: 'checkbox' })}
        />
        <FormFooter submitLabel="Save" isPending={save.isPending} />
      </Stack>
    </ValidatedForm>
  )
}
