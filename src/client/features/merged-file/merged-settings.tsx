import { NumberInput, Select, Stack, TextInput, Title } from '@mantine/core'
import { schemaResolver, type UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

import { QUANTITY_RULES } from '../../../shared/merged-files'
import { saveMergedFileInput, type ShownMergedFile } from '../../../shared/schemas/merged-file'
import { PageForm } from '../../components/form/page-form'
import { PriceRulesFields } from '../../components/form/price-rules-fields'
import { Panel } from '../../components/layout/panel'
import { useFieldErrors } from '../../lib/use-field-errors'
import { markSaved, useSavedForm } from '../../lib/use-saved-form'
import { useMay } from '../../session/may'
import { nameOf, toInput, toValues, type MergedValues, type Settings } from './merged-values'
import { QUANTITY_WORDS } from './quantity-words'
import { SuppliersField } from './suppliers-field'
import { useSaveMergedFile } from './use-save-merged-file'

import classes from './merged-file.module.css'

interface MergedSettingsProps {
  file: ShownMergedFile
  settings: Settings
  whoChanges: string
}

const validate = schemaResolver(saveMergedFileInput.omit({ profile: true }), { sync: true })

/** How the merged file is made: of which suppliers, and what becomes of items that several have. */
export function MergedSettings({ file, settings, whoChanges }: MergedSettingsProps) {
  const mayChange = useMay('addresses')
  const form = useSavedForm<MergedValues>(toValues(file), {
    validate: (values) => validate(toInput(values)),
  })
  const save = useSaveMergedFile('Merged file saved', () => markSaved(form, form.getValues()))
  useFieldErrors(form, save.error)
  const isFixed = !mayChange
  return (
    <Panel
      title="How it is made"
      description="Of which suppliers, and what becomes of items that several of them have"
    >
      <PageForm
        form={form}
        label="How it is made"
        isPending={save.isPending}
        whoChanges={mayChange ? undefined : whoChanges}
        onSubmit={(values) => save.mutate({ ...toInput(values), profile: settings.profile })}
      >
        <Stack gap="xl">
          <SuppliersField form={form} relations={file.relations} isFixed={isFixed} />
          <Part title="Quantity">
            <QuantityField form={form} file={file} />
            <NumberInput
              className={classes.short}
              label="Old data count as 0 after (hours)"
              description="Of a supplier whose data are older, all quantities are 0. Empty: however old they are."
              min={1}
              allowDecimal={false}
              allowNegative={false}
              {...form.getInputProps('rules.maxAgeHours')}
              value={form.values.rules.maxAgeHours ?? ''}
              onChange={(value) =>
                form.setFieldValue('rules.maxAgeHours', value === '' ? null : Number(value))
              }
            />
          </Part>
          <Part title="Prices and costs">
            <PriceRulesFields
              form={form}
              path="rules.priceRules"
              rules={form.values.rules.priceRules}
              description="Otherwise prices stay as your suppliers give them. An item without a cost has no price then, which you are told."
              isFixed={isFixed}
            />
            <TextInput
              className={classes.short}
              label="Currency"
              description="Of amounts whose file says none, such as EUR. Amounts of different currencies are never compared."
              autoComplete="off"
              maxLength={3}
              {...form.getInputProps('rules.currency')}
            />
            <SupplierAmounts form={form} file={file} />
          </Part>
        </Stack>
      </PageForm>
    </Panel>
  )
}

interface PartProps {
  title: string
  children: ReactNode
}

const Part = ({ title, children }: PartProps) => (
  <Stack gap="md">
    <Title order={3} fz="md">
      {title}
    </Title>
    {children}
  </Stack>
)

interface FieldProps {
  form: UseFormReturnType<MergedValues>
  file: ShownMergedFile
}

function QuantityField({ form, file }: FieldProps) {
  const { parts, rules } = form.values
  const nameAt = (place: number, otherwise: string) => {
    const id = parts[place]?.retailerId
    const found = file.relations.find(({ retailerId }) => retailerId === id)
    return found ? nameOf(found) : otherwise
  }
  const { example } = QUANTITY_WORDS[rules.quantity]
  return (
    <Select
      label="Of an item that several have"
      description={example(nameAt(0, 'One supplier'), nameAt(1, 'another one'))}
      allowDeselect={false}
      data={QUANTITY_RULES.map((value) => ({ value, label: QUANTITY_WORDS[value].label }))}
      {...form.getInputProps('rules.quantity')}
    />
  )
}

/** What is said of the amounts of each supplier; closed at first where nothing is. */
function SupplierAmounts({ form, file }: FieldProps) {
  const { parts } = form.values
  const hasSome = toValues(file).parts.some(({ currency, costColumn }) => currency || costColumn)
  const hasError = Object.keys(form.errors).some((path) =>
    /^parts\.\d+\.(?:currency|costColumn)$/.test(path),
  )
  return (
    <details className={classes.more} open={hasSome || hasError || undefined}>
      <summary>Cost column and currency of each supplier</summary>
      <Stack gap="md">
        {parts.map(({ retailerId }, place) => {
          const relation = file.relations.find((one) => one.retailerId === retailerId)
          const name = relation ? nameOf(relation) : 'A supplier that has left'
          return (
            <div key={retailerId} className={classes.amounts}>
              <TextInput
                label={`Column with the costs of ${name}`}
                description="Empty: found by its name"
                autoComplete="off"
                {...form.getInputProps(`parts.${place}.costColumn`)}
              />
              <TextInput
                label={`Currency of ${name}`}
                description="Empty: as above"
                autoComplete="off"
                maxLength={3}
                {...form.getInputProps(`parts.${place}.currency`)}
              />
            </div>
          )
        })}
      </Stack>
    </details>
  )
}
