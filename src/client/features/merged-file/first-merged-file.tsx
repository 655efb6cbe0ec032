import { Stack, Text } from '@mantine/core'
import { schemaResolver } from '@mantine/form'
import { IconStack2 } from '@tabler/icons-react'

import { saveMergedFileInput, type ShownMergedFile } from '../../../shared/schemas/merged-file'
import { shopFormatSchema } from '../../../shared/schemas/shop-format'
import { EmptyState } from '../../components/feedback/message-state'
import { PendingButton } from '../../components/feedback/pending-button'
import { ValidatedForm } from '../../components/form/validated-form'
import { Panel } from '../../components/layout/panel'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useSavedForm } from '../../lib/use-saved-form'
import { useMay } from '../../session/may'
import { toInput, toValues, type MergedValues } from './merged-values'
import { SuppliersField } from './suppliers-field'
import { useSaveMergedFile } from './use-save-merged-file'

interface FirstMergedFileProps {
  file: ShownMergedFile
  whoChanges: string
}

const validate = schemaResolver(saveMergedFileInput.omit({ profile: true }), { sync: true })

/** What a merged file is, and what it takes to make one. */
export function FirstMergedFile({ file, whoChanges }: FirstMergedFileProps) {
  const mayChange = useMay('addresses')
  return (
    <Panel>
      <EmptyState icon={IconStack2} title="One file of all your suppliers">
        Items that several suppliers have become one, found by their GTIN (EAN, UPC). Each item says
        whose stock, cost and price it has. When a supplier’s file is late or fails, its part stays
        as it was, and the others go on. Your suppliers do not learn of it.
        {!mayChange && ` ${whoChanges}`}
      </EmptyState>
      {mayChange && <FirstForm file={file} />}
    </Panel>
  )
}

function FirstForm({ file }: { file: ShownMergedFile }) {
  const form = useSavedForm<MergedValues>(toValues(file), {
    validate: (values) => validate(toInput(values)),
  })
  const save = useSaveMergedFile('Merged file saved')
  useFieldErrors(form, save.error)
  return (
    <ValidatedForm
      form={form}
      label="New merged file"
      onSubmit={(values) =>
        save.mutate({ ...toInput(values), profile: shopFormatSchema.parse({}) })
      }
    >
      <Stack gap="lg" maw={640} mx="auto" w="100%">
        <SuppliersField form={form} relations={file.relations} />
        <Text fz="sm" c="dimmed">
          Stock and price are those of the cheapest supplier that has stock; all of that can be
          changed afterwards, and the form of the file too.
        </Text>
        <div>
          <PendingButton type="submit" isPending={save.isPending}>
            Make the merged file
          </PendingButton>
        </div>
      </Stack>
    </ValidatedForm>
  )
}
