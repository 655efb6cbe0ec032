import { Accordion, Select, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'

import type { ConnectionFormValues } from '../../../shared/schemas/connection'
import { LONE_ROWS, type LoneRows, type Overlay } from '../../../shared/schemas/overlay'
import { AccessFields } from '../../components/form/access-fields'
import { TransferFields } from '../../components/form/transfer-fields'
import { UrlInput } from '../../components/form/url-input'
import { maskedAddressHint } from '../../lib/masked-address-hint'
import { originOf, splitAddress } from '../../lib/source-access'
import { FetchedFrom } from './fetched-from'
import type { OverlayValues } from './overlay-settings'

import classes from './reading-choice.module.css'

interface OverlayChoiceProps {
  form: UseFormReturnType<ConnectionFormValues>
  overlay: OverlayValues
  saved: Overlay | null
}

const OVERLAY = 'overlay'
const LONE_LABELS: Record<LoneRows, string> = { keep: 'Keep them', 'leave-out': 'Leave them out' }
const LONE_OPTIONS = LONE_ROWS.map((value) => ({ value, label: LONE_LABELS[value] }))

/** A second address whose rows are joined to those of the first, folded as long as there is none. */
export function OverlayChoice({ form, overlay, saved }: OverlayChoiceProps) {
  const [isToggledOpen, setToggledOpen] = useState<boolean>()
  const hasError = Object.keys(form.errors).some((path) => path.startsWith(`${OVERLAY}.`))
  const isOpen = hasError || (isToggledOpen ?? saved !== null)
  return (
    <Accordion
      variant="contained"
      classNames={classes}
      value={isOpen ? OVERLAY : null}
      onChange={(value) => setToggledOpen(value === OVERLAY)}
    >
      <Accordion.Item value={OVERLAY}>
        <Accordion.Control>
          <span className={classes.title}>Stock and prices from a second address</span>
          <span className={classes.summary}>{originOf(overlay.url) ?? 'None'}</span>
        </Accordion.Control>
        <Accordion.Panel>
          {isOpen && <OverlayFields form={form} overlay={overlay} saved={saved} />}
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

function OverlayFields({ form, overlay, saved }: OverlayChoiceProps) {
  return (
    <Stack gap={14}>
      <UrlInput
        label="Second address"
        placeholder="https://example.com/stock.csv"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={
          <>
            {maskedAddressHint(saved?.url) ??
              'Fetched in the same sync. Its rows are joined by their SKU: its columns replace those of the same name, and its others are added. Empty: there is none.'}
            <FetchedFrom address={overlay.url} />
          </>
        }
        {...form.getInputProps('overlay.url')}
        onBlur={() => {
          const parts = splitAddress(overlay)
          if (parts) form.setFieldValue('overlay', { ...overlay, ...parts })
        }}
      />
      <AccessFields
        form={form}
        path="overlay"
        source={overlay}
        saved={saved}
        label="Access to the second address"
      />
      <TransferFields form={form} path="overlay" source={overlay} />
      <div className={classes.fieldsWithHelp}>
        <Select
          label="Items only in the file"
          description="The second address tells nothing of them."
          allowDeselect={false}
          data={LONE_OPTIONS}
          {...form.getInputProps('overlay.onlyInFile')}
        />
        <Select
          label="Items only at the second address"
          description="The file tells nothing of them, such as a name."
          allowDeselect={false}
          data={LONE_OPTIONS}
          {...form.getInputProps('overlay.onlyInOverlay')}
        />
      </div>
    </Stack>
  )
}
