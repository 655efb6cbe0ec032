import { Alert, Checkbox, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

import type { PriceColumns, RetailerPriceRules } from '../../../shared/schemas/price-rules'
import { PriceRulesFields } from '../../components/form/price-rules-fields'

interface RetailerPriceFieldsProps extends Pick<ComponentProps<typeof PriceRulesFields>, 'form'> {
  rules: RetailerPriceRules | null
  /** undefined while they are not known. */
  columns: PriceColumns | undefined
}

/** How the prices are made that retailers see, in a form that has the rules as `priceRules`. */
export function RetailerPriceFields({ form, rules, columns }: RetailerPriceFieldsProps) {
  return (
    <Stack gap="md">
      <PriceRulesFields
        form={form}
        path="priceRules"
        rules={rules}
        options={{ showsCost: false }}
        description="Otherwise prices are those of your file. With rules, a row without a cost has no price, which is told as a problem of the file."
      >
        <Checkbox
          label="The costs are seen as well"
          description="Otherwise their column is left out"
          {...form.getInputProps('priceRules.showsCost')}
          checked={rules?.showsCost ?? false}
        />
        {columns && <Columns columns={columns} />}
      </PriceRulesFields>
    </Stack>
  )
}

function Columns({ columns: { isKnown, cost, price, isPriceHidden } }: { columns: PriceColumns }) {
  const priceName = price ?? 'price'
  if (isKnown && cost === null) {
    return (
      <Problem title="Your file has no column with the cost">
        Say on Data Connections, under Columns, which one it is.
      </Problem>
    )
  }
  if (isPriceHidden) {
    return (
      <Problem title={`The column “${priceName}” is hidden`}>
        No retailer sees it, so none sees the prices that are made. Show it on Data Connections,
        under Columns.
      </Problem>
    )
  }
  if (cost === null) return null
  return (
    <Text fz="sm" c="dimmed">
      Costs are read from the column “{cost}” of your file.{' '}
      {price === null
        ? `Prices are in a new last column “${priceName}”.`
        : `Prices take the place of those in “${priceName}”.`}
    </Text>
  )
}

const Problem = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <Alert
    role="note"
    color="yellow"
    icon={<IconAlertTriangle size={18} aria-hidden="true" />}
    title={title}
  >
    {children}
  </Alert>
)
