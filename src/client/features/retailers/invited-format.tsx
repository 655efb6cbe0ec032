import { Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

import type { ShopFormatKind } from '../../../shared/shop-formats'
import { SHOP_FORMAT_LABELS, shopFormatOptions } from '../../lib/shop-format-labels'

/** The form of a file, as it is chosen before the retailer has one. */
export interface InvitedFormat {
  kind: ShopFormatKind
  /** Of a Shopify shop. */
  location: string
}

interface InvitedFormatFieldsProps<Values extends { profile: InvitedFormat }> {
  form: UseFormReturnType<Values>
}

/** Own columns are chosen from a file: by the retailer, or on its page. */
const options = shopFormatOptions.filter(({ value }) => value !== 'own')

export function InvitedFormatFields<Values extends { profile: InvitedFormat }>({
  form,
}: InvitedFormatFieldsProps<Values>) {
  const { kind } = form.values.profile
  return (
    <>
      <Select
        label="Format of its file"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={SHOP_FORMAT_LABELS[kind].description}
        allowDeselect={false}
        maxDropdownHeight={320}
        data={options}
        {...form.getInputProps('profile.kind')}
      />
      {kind === 'shopify' && (
        <TextInput
          label="Location"
          description="As it is called in the shop"
          {...form.getInputProps('profile.location')}
        />
      )}
    </>
  )
}
