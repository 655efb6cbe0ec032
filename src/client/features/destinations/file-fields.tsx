import { Select, TextInput } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'

import { shopFormatSchema, type ShopFormat } from '../../../shared/schemas/shop-format'
import { SHOP_FORMAT_OPTIONS, type ShopFormatKind } from '../../../shared/shop-formats'
import { SHOP_FORMAT_LABELS, shopFormatOptions } from '../../lib/shop-format-labels'
import { useNow } from '../../lib/use-now'
import { trpc } from '../../trpc'
import { exampleFileName } from './file-name-example'
import type { SentFile } from './sent-file'
import type { DestinationFormState } from './use-destination-form'

import classes from './destination-form.module.css'

const AS_SHOP = 'shop'

interface FileFieldsProps {
  form: DestinationFormState
  file: SentFile
  supplierName: string | null
}

/** How the file is called, and in which form it is sent. */
export function FileFields({ form, file, supplierName }: FileFieldsProps) {
  const { fileName, timeZone, profile } = form.values
  const nowMs = useNow()
  const profileOfShop = useShopFormat(file)
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
          profile ? SHOP_FORMAT_LABELS[profile.kind].description : describeShop(profileOfShop)
        }
        allowDeselect={false}
        maxDropdownHeight={320}
        data={[
          {
            value: AS_SHOP,
            label: file === 'merged' ? 'As the merged file' : 'As the shop gets it',
          },
          ...shopFormatOptions,
        ]}
        value={profile?.kind ?? AS_SHOP}
        error={form.errors.profile}
        onChange={(kind) => form.setFieldValue('profile', startFormat(kind, profileOfShop))}
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

/** The format that the file has without another choice. */
function useShopFormat(file: SentFile): ShopFormat | undefined {
  const isMerged = file === 'merged'
  const merged = trpc.mergedFile.get.useQuery(undefined, { enabled: isMerged })
  const retailer = trpc.profiles.get.useQuery(isMerged ? skipToken : { id: file })
  return isMerged ? merged.data?.settings?.profile : (retailer.data?.profile ?? undefined)
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
