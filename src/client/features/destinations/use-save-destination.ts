import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import type { DestinationFormProps } from './destination-form-props'
import { toSettings, type DestinationSettings, type DestinationValues } from './destination-values'

/** Tries and saves what is entered of a destination. */
export function useSaveDestination({
  retailerId: id,
  destination,
  list,
  onClose,
}: DestinationFormProps) {
  const { destinations } = trpc.useUtils()
  const onError = (error: unknown) => showFailure(error, 'The destination could not be saved')
  const finish = (text: string) => () => {
    showSuccess(text)
    onClose()
    void destinations.invalidate()
  }
  const create = trpc.destinations.create.useMutation({
    onSuccess: finish('Destination added'),
    onError,
  })
  const update = trpc.destinations.update.useMutation({
    onSuccess: finish('Destination saved'),
    onError,
  })
  const changeTimeZone = trpc.destinations.changeTimeZone.useMutation({ onError })
  const trial = trpc.destinations.testNew.useMutation()

  function write(settings: DestinationSettings) {
    if (destination) update.mutate({ id, destinationId: destination.id, ...settings })
    else create.mutate({ id, ...settings })
  }

  return {
    isSaving: create.isPending || update.isPending || changeTimeZone.isPending,
    error: create.error ?? update.error ?? changeTimeZone.error ?? trial.error,
    trial,
    tryOut: (settings: DestinationSettings) =>
      trial.mutate({ id, ...settings, ...(destination && { destinationId: destination.id }) }),
    save(values: DestinationValues) {
      const settings = toSettings(values, destination?.config ?? null)
      const { timeZone, isTimed } = values
      if (!isTimed || timeZone === list.timeZone) return write(settings)
      changeTimeZone.mutate({ id, timeZone }, { onSuccess: () => write(settings) })
    },
  }
}
