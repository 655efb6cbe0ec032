import { Checkbox, Button, TextInput } from '@mantine/core'
import { IconMailOff, IconPlugConnected } from '@tabler/icons-react'

import { DialogActions } from '../../components/dialog/dialog-actions'
import { EmptyState } from '../../components/feedback/message-state'
import { PendingButton } from '../../components/feedback/pending-button'
import { ValidatedForm } from '../../components/form/validated-form'
import { withConfirmed } from '../../lib/confirmed-keys'
import { useRequestClose } from '../../lib/dialog-form'
import { errorMessage } from '../../lib/error-message'
import { AddressFields } from './address-fields'
import type { DestinationFormProps } from './destination-form-props'
import { kindOf, proposeName, type DestinationValues } from './destination-values'
import { FileFields } from './file-fields'
import { KindTiles } from './kind-tiles'
import { RecipientsField } from './recipients-field'
import { TimeFields } from './time-fields'
import { TrialResult } from './trial-result'
import { useDestinationForm } from './use-destination-form'
import { useSaveDestination } from './use-save-destination'

import classes from './destination-form.module.css'

export function DestinationForm(props: DestinationFormProps) {
  const { destination, list } = props
  const calls = useSaveDestination(props)
  const { form, chooseKind, setHostKeys, readSettings } = useDestinationForm(props, calls.error)
  const { trial } = calls
  const kind = kindOf(form.values)
  const lacksMail = kind === 'mail' && !list.hasMail
  const isReady = kind !== null && !lacksMail
  const hostKeys = form.values.config.transfer?.hostKeys ?? []

  /** Tries what is entered now; what is wrong with that is shown at its fields. */
  function test(changed: DestinationValues = form.values) {
    const settings = readSettings(changed)
    if (settings) calls.tryOut(settings)
  }

  return (
    <ValidatedForm form={form} onSubmit={(values) => calls.save(values)}>
      {!destination && (
        <KindTiles chosen={kind} error={form.errors.kind !== undefined} onChoose={chooseKind} />
      )}
      {lacksMail && (
        <EmptyState isRow icon={IconMailOff} title="E-mail is not available here">
          This installation sends no mails. Ask whoever runs it, or choose another way.
        </EmptyState>
      )}
      {isReady && (
        <>
          {kind === 'mail' ? (
            <RecipientsField form={form} people={list.people} />
          ) : (
            <AddressFields form={form} kind={kind} saved={destination?.config ?? null} />
          )}
          <TextInput
            label="Name (optional)"
            placeholder={proposeName(form.values)}
            {...form.getInputProps('name')}
          />
          <FileFields form={form} file={props.file} supplierName={props.supplierName} />
          <TimeFields form={form} />
          <Checkbox
            label="Only if the file has changed"
            description="The same content is not sent twice."
            {...form.getInputProps('onlyIfChanged', { type: 'checkbox' })}
          />
          <TrialResult
            isPending={trial.isPending}
            trial={trial.error ? { isOk: false, text: errorMessage(trial.error) } : trial.data}
            hostKeys={hostKeys}
            onConfirmKey={(shown) => test(setHostKeys(withConfirmed(hostKeys, shown)))}
          />
        </>
      )}
      <Footer
        submitLabel={destination ? 'Save' : 'Add destination'}
        isSaving={calls.isSaving}
        isTesting={trial.isPending}
        isReady={!lacksMail}
        onTest={isReady ? () => test() : undefined}
      />
    </ValidatedForm>
  )
}

interface FooterProps {
  submitLabel: string
  isReady: boolean
  isSaving: boolean
  isTesting: boolean
  onTest: (() => void) | undefined
}

function Footer({ submitLabel, isReady, isSaving, isTesting, onTest }: FooterProps) {
  const requestClose = useRequestClose()
  return (
    <DialogActions>
      {onTest && (
        <PendingButton
          variant="default"
          className={classes.test}
          leftSection={<IconPlugConnected size={16} aria-hidden="true" />}
          isPending={isTesting}
          onClick={onTest}
        >
          Test
        </PendingButton>
      )}
      <Button variant="default" onClick={requestClose}>
        Cancel
      </Button>
      <PendingButton type="submit" disabled={!isReady} isPending={isSaving}>
        {submitLabel}
      </PendingButton>
    </DialogActions>
  )
}
