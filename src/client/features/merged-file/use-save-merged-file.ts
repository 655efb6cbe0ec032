import type { ShownMergedFile } from '../../../shared/schemas/merged-file'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** While it is made, it is asked for so often; otherwise so that the page stays true. */
const MAKING_MS = 2_000
const OPEN_MS = 60_000

/** The merged file, asked for again until it is made. */
export const useMergedFile = (options: { enabled?: boolean } = {}) =>
  trpc.mergedFile.get.useQuery(undefined, {
    ...options,
    refetchInterval: ({ state }) =>
      (state.data as ShownMergedFile | undefined)?.isBeingMade ? MAKING_MS : OPEN_MS,
  })

/** Saves how the merged file is made. */
export function useSaveMergedFile(saved: string, onSaved?: () => void) {
  const { mergedFile } = trpc.useUtils()
  return trpc.mergedFile.save.useMutation({
    async onSuccess() {
      onSaved?.()
      await mergedFile.get.invalidate()
      showSuccess(saved)
    },
    onError: (error) => showFailure(error, 'The merged file could not be saved'),
  })
}
