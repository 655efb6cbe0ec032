import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'

import type { ShopFormat, ShopFormatChoice } from '../../../shared/schemas/shop-format'
import { canHaveRestock, MAX_QUANTITY, SHOP_FORMAT_OPTIONS } from '../../../shared/shop-formats'
import { OwnColumns } from './own-columns'

import classes from './shop-format-fields.module.css'

interface ShopFormatFieldsProps {
  form: UseFormReturnType<ShopFormat>
  columns: ShopFormatChoice['columns']
}

/** The options of the chosen format. */
export function ShopFormatFields({ form, columns }: ShopFormatFieldsProps) {
  const { kind } = form.values
  if (kind === 'asIs') return null
  const options: readonly string[] = SHOP_FORMAT_OPTIONS[kind]
  return (
    <>
      {options.includes('location') && (
        <TextInput
          label="Location"
          description="As it is called in the shop"
          {...form.getInputProps('location')}
        />
      )}
      {options.includes('sourceCode') && (
        <TextInput
          label="Source"
          description="The code of the stock source"
          {...form.getInputProps('sourceCode')}
        />
      )}
      {options.includes('delimiter') && <DelimiterField form={form} />}
      {options.includes('columns') && (
        <OwnColumns
          columns={columns}
          {...form.getInputProps('columns')}
          value={form.values.columns}
        />
      )}
      <Switches form={form} options={options} />
      <Adjustments form={form} />
    </>
  )
}

/** What is changed of SKUs and quantities; closed at first where nothing is. */
function Adjustments({ form }: Pick<ShopFormatFieldsProps, 'form'>) {
  const [isOpenAtFirst] = useState(() => hasAdjustments(form.values))
  return (
    <details className={classes.more} open={isOpenAtFirst}>
      <summary>Prefix, buffer and limits</summary>
      <div className={classes.numbers}>
        <TextInput
          label="SKU prefix"
          description="Before each SKU"
          {...form.getInputProps('skuPrefix')}
        />
        <QuantityInput
          form={form}
          name="buffer"
          label="Buffer"
          description="Subtracted from each stock"
        />
        <QuantityInput
          form={form}
          name="cutOff"
          label="Cut-off"
          description="So much or less becomes 0"
        />
        <QuantityInput form={form} name="cap" label="At most" description="Empty: no limit" />
      </div>
    </details>
  )
}

const hasAdjustments = ({ skuPrefix, buffer, cutOff, cap }: ShopFormat) =>
  skuPrefix !== '' || buffer > 0 || cutOff > 0 || cap !== null

function DelimiterField({ form }: Pick<ShopFormatFieldsProps, 'form'>) {
  const names = form.values.kind === 'own' ? DELIMITERS : DELIMITERS.slice(0, 2)
  return (
    <Select
      label="Delimiter"
      description={form.values.kind === 'excel' ? 'What Excel expects in your country' : undefined}
      allowDeselect={false}
      data={names}
      {...form.getInputProps('delimiter')}
    />
  )
}

const DELIMITERS = [
  { value: 'comma', label: 'Comma' },
  { value: 'semicolon', label: 'Semicolon' },
  { value: 'tab', label: 'Tab' },
]

function Switches({
  form,
  options,
}: Pick<ShopFormatFieldsProps, 'form'> & { options: readonly string[] }) {
  const shown = SWITCHES.filter(
    ({ name }) => options.includes(name) && (name !== 'hasRestock' || canHaveRestock(form.values)),
  )
  return shown.map(({ name, label }) => (
    <Checkbox key={name} label={label} {...form.getInputProps(name, { type: 'checkbox' })} />
  ))
}

const SWITCHES = [
  { name: 'hasBarcode', label: 'With a column for the barcode' },
  { name: 'hasOnlyStock', label: 'SKU and quantity only' },
  { name: 'hasRestock', label: 'With the next delivery: restock date and quantity' },
  {
    name: 'guardsFormulas',
    label: 'Guard formulas: an apostrophe before texts that Excel would run. Numbers stay numbers.',
  },
  {
    name: 'hasByteOrderMark',
    label: 'With a byte order mark, for programs that guess the encoding',
  },
] as const

interface QuantityInputProps extends Pick<ShopFormatFieldsProps, 'form'> {
  name: 'buffer' | 'cutOff' | 'cap'
  label: string
  description: string
}

function QuantityInput({ form, name, ...labels }: QuantityInputProps) {
  const empty = name === 'cap' ? null : 0
  const { onChange: _, ...props } = form.getInputProps(name)
  return (
    <NumberInput
      {...labels}
      {...props}
      min={0}
      max={MAX_QUANTITY}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      value={form.values[name] ?? ''}
      onChange={(value) => form.setFieldValue(name, value === '' ? empty : Number(value))}
    />
  )
}
