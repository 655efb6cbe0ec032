import { useMutation } from '@tanstack/react-query'

import { showFailure, showSuccess } from '../../lib/toast'
import type { DestinationFormProps } from './destination-form-props'
import { toSettings, type DestinationSettings, type DestinationValues } from './destination-values'
import { toMutation, useDestinationCalls } from './sent-file'

/** Tries and saves what is entered of a destination. */
export function useSaveDestination({ file, destination, list, onClose }: DestinationFormProps) {
  const { calls, known, of } = useDestinationCalls(file)
  const onError = (error: unknown) => showFailure(error, 'The destination could not be saved')
  const finish = (text: string) => () => {
    showSuccess(text)
    onClose()
    void known.invalidate()
  }
  const create = useMutation({
    mutationFn: toMutation(calls.create),
    onSuccess: finish('Destination added'),
    onError,
  })
  const update = useMutation({
    mutationFn: toMutation(calls.update),
    onSuccess: finish('Destination saved'),
    onError,
  })
  const changeTimeZone = useMutation({ mutationFn: toMutation(calls.changeTimeZone), onError })
  const trial = useMutation({ mutationFn: toMutation(calls.testNew) })

  function write(settings: DestinationSettings) {
    if (destination) update.mutate({ ...of, destinationId: destination.id, ...settings })
    else create.mutate({ ...of, ...settings })
  }

  return {
    isSaving: create.isPending || update.isPending || changeTimeZone.isPending,
    error: create.error ?? update.error ?? changeTimeZone.error ?? trial.error,
    trial,
    tryOut: (settings: DestinationSettings) =>
      trial.mutate({ ...of, ...settings, ...(destination && { destinationId: destination.id }) }),
    save(values: DestinationValues) {
      const settings = toSettings(values, destination?.config ?? null)
      const { timeZone, isTimed } = values
      if (!isTimed || timeZone === list.timeZone) return write(settings)
      changeTimeZone.mutate({ ...of, timeZone }, { onSuccess: () => write(settings) })
    },
  }
}
