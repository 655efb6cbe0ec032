import { Select, Stack } from '@mantine/core'
import { schemaResolver } from '@mantine/form'

import { foldName } from '../../../shared/categories'
import { MERGED_COLUMNS } from '../../../shared/merged-files'
import type { ShownMergedFile } from '../../../shared/schemas/merged-file'
import { chosenShopFormatSchema, type ShopFormat } from '../../../shared/schemas/shop-format'
import { PageForm } from '../../components/form/page-form'
import { ShopFormatFields } from '../../components/form/shop-format-fields'
import { Panel } from '../../components/layout/panel'
import { SHOP_FORMAT_LABELS, shopFormatOptions } from '../../lib/shop-format-labels'
import { markSaved, useSavedForm } from '../../lib/use-saved-form'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { withShopFormat, type Settings } from './merged-values'
import { useSaveMergedFile } from './use-save-merged-file'

interface MergedFormatProps {
  file: ShownMergedFile
  settings: Settings
  whoChanges: string
}

/** The form in which the shop gets the merged file. */
export function MergedFormat({ file, settings, whoChanges }: MergedFormatProps) {
  const mayChange = useMay('addresses')
  const { profile } = settings
  const form = useSavedForm<ShopFormat>(
    {
      ...profile,
      guardsFormulas: profile.guardsFormulas ?? true,
      hasRestock: profile.hasRestock ?? false,
    },
    { validate: schemaResolver(chosenShopFormatSchema, { sync: true }) },
  )
  const save = useSaveMergedFile('Shop format saved', () => markSaved(form, form.getValues()))
  const { kind } = form.values
  const columns = useColumns(file, kind === 'own')
  return (
    <Panel title="Shop format" description="The form in which you and your shop get the file">
      <PageForm
        form={form}
        label="Shop format"
        isPending={save.isPending}
        whoChanges={mayChange ? undefined : whoChanges}
        onSubmit={(chosen) => save.mutate(withShopFormat(file, chosen))}
      >
        <Stack gap="lg">
          <Select
            label="Format"
            description={SHOP_FORMAT_LABELS[kind].description}
            allowDeselect={false}
            maxDropdownHeight={320}
            data={shopFormatOptions}
            {...form.getInputProps('kind')}
          />
          <ShopFormatFields form={form} columns={columns} />
        </Stack>
      </PageForm>
    </Panel>
  )
}

/** The columns of the file: those that it always has, and the others of its suppliers' files. */
function useColumns({ relations }: ShownMergedFile, isWanted: boolean) {
  const merged = relations.filter(({ part }) => part !== null)
  const choices = trpc.useQueries((calls) =>
    (isWanted ? merged : []).map(({ retailerId }) => calls.profiles.get({ id: retailerId })),
  )
  const names = new Map<string, string>(MERGED_COLUMNS.map((name) => [foldName(name), name]))
  for (const { data } of choices) {
    for (const { name, role } of data?.columns ?? []) {
      const key = foldName(name)
      if (role === null && !names.has(key)) names.set(key, name)
    }
  }
  return [...names.values()].map((name) => ({ name, role: null }))
}
