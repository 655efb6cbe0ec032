import { useForm } from '@mantine/form'
import { useRef } from 'react'

import type { DestinationKind } from '../../../shared/destinations'
import type { SourceFormValues } from '../../components/form/source-form'
import { focusFirstInvalid } from '../../lib/form-errors'
import { accessTypeOf, startAuth, toCurrentTransfer } from '../../lib/source-access'
import { useFieldErrors } from '../../lib/use-field-errors'
import type { DestinationFormProps } from './destination-form-props'
import {
  findProblems,
  kindOf,
  startConfig,
  startValues,
  toSettings,
  type DestinationSettings,
  type DestinationValues,
} from './destination-values'

/**
 * The form of a destination, whose access follows its address.
 * @param error of the last call, null if there is none; its field errors are shown under the fields
 */
export function useDestinationForm({ destination, list }: DestinationFormProps, error: unknown) {
  const saved = destination?.config ?? null
  /** What was typed for each kind, while another one is looked at. */
  const typed = useRef(new Map<DestinationKind, SourceFormValues>())
  const form = useForm<DestinationValues>({
    initialValues: startValues(destination, list.timeZone),
    validate: (values) => findProblems(values, saved),
    onValuesChange(values, previous) {
      const { config } = values
      if (kindOf(values) !== values.kind) form.setFieldValue('kind', kindOf(values))
      const type = accessTypeOf(config)
      if (type !== config.auth.type) form.setFieldValue('config.auth', startAuth(type, saved))
      const transfer = toCurrentTransfer(config, previous.config.url, saved)
      if (transfer !== config.transfer) form.setFieldValue('config.transfer', transfer)
    },
  })
  useFieldErrors(form, error)

  function chooseKind(kind: DestinationKind) {
    const { kind: before, config } = form.values
    if (before !== null) typed.current.set(before, config)
    form.clearErrors()
    form.setValues({ kind, config: typed.current.get(kind) ?? startConfig(kind) })
  }

  function setHostKeys(hostKeys: string[]): DestinationValues {
    const { config } = form.values
    const transfer = { ...config.transfer, hostKeys }
    form.setFieldValue('config.transfer', transfer)
    return { ...form.values, config: { ...config, transfer } }
  }

  /** undefined: something is wrong, which the form now shows. */
  function readSettings(values: DestinationValues): DestinationSettings | undefined {
    const errors = findProblems(values, saved)
    if (Object.keys(errors).length === 0) return toSettings(values, saved)
    form.setErrors(errors)
    focusFirstInvalid(form, errors)
    return undefined
  }

  return { form, chooseKind, setHostKeys, readSettings }
}

export type DestinationFormState = ReturnType<typeof useDestinationForm>['form']
