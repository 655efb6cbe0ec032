import { Select, TextInput } from '@mantine/core'

import { shopFormatSchema, type ShopFormat } from '../../../shared/schemas/shop-format'
import { SHOP_FORMAT_OPTIONS, type ShopFormatKind } from '../../../shared/shop-formats'
import { SHOP_FORMAT_LABELS, shopFormatOptions } from '../../lib/shop-format-labels'
import { useNow } from '../../lib/use-now'
import { trpc } from '../../trpc'
import { exampleFileName } from './file-name-example'
import type { DestinationFormState } from './use-destination-form'

import classes from './destination-form.module.css'

const AS_SHOP = 'shop'

interface FileFieldsProps {
  form: DestinationFormState
  retailerId: number
  supplierName: string | null
}

/** How the file is called, and in which form it is sent. */
export function FileFields({ form, retailerId, supplierName }: FileFieldsProps) {
  const { fileName, timeZone, profile } = form.values
  const nowMs = useNow()
  const { data } = trpc.profiles.get.useQuery({ id: retailerId })
  const example = exampleFileName(fileName, { supplier: supplierName, timeZone, nowMs })
  return (
    <>
      <TextInput
        label="File name"
        autoCapitalize="none"
        spellCheck={false}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={
          fileName.includes('{') ? (
            <span className={classes.example}>
              For example <bdi>{example}</bdi>
            </span>
          ) : (
            'Each file replaces the one before. With {supplier}, {time} or {version} in it, all are kept.'
          )
        }
        {...form.getInputProps('fileName')}
      />
      <Select
        label="Shop format"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={
          profile ? SHOP_FORMAT_LABELS[profile.kind].description : describeShop(data?.profile)
        }
        allowDeselect={false}
        maxDropdownHeight={320}
        data={[{ value: AS_SHOP, label: 'As the shop gets it' }, ...shopFormatOptions]}
        value={profile?.kind ?? AS_SHOP}
        error={form.errors.profile}
        onChange={(kind) =>
          form.setFieldValue('profile', startFormat(kind, data?.profile ?? undefined))
        }
      />
      {profile && hasOption(profile.kind, 'location') && (
        <TextInput
          label="Location"
          description="As it is called in the shop"
          {...form.getInputProps('profile.location')}
        />
      )}
      {profile && hasOption(profile.kind, 'sourceCode') && (
        <TextInput
          label="Source"
          description="The code of the stock source"
          {...form.getInputProps('profile.sourceCode')}
        />
      )}
    </>
  )
}

const describeShop = (profile: ShopFormat | undefined) =>
  profile && `Now: ${SHOP_FORMAT_LABELS[profile.kind].label}. It changes with the shop’s format.`

const hasOption = (kind: ShopFormatKind, option: string) =>
  (SHOP_FORMAT_OPTIONS[kind] as readonly string[]).includes(option)

/** Another format, with the prefix, buffer and limits of the shop. */
function startFormat(kind: string | null, ofShop: ShopFormat | undefined): ShopFormat | null {
  const { data } = shopFormatSchema.safeParse({
    ...ofShop,
    kind,
    location: ofShop?.location || '?',
  })
  if (!data || kind === AS_SHOP) return null
  return { ...data, location: ofShop?.location ?? '' }
}
