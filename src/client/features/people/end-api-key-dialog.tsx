import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import type { useEndApiKey } from './use-end-api-key'

/** Asks whether a key is to be ended. */
export function EndApiKeyDialog({ question, isPending, end }: ReturnType<typeof useEndApiKey>) {
  return (
    <ConfirmDialog
      isOpen={question.isOpen}
      onClose={question.close}
      title="End the key"
      confirmLabel="End the key"
      isPending={isPending}
      onConfirm={end}
    >
      {question.subject && (
        <>
          Programs that use <bdi>{question.subject.name}</bdi> are refused at once. An ended key
          cannot be brought back.
        </>
      )}
    </ConfirmDialog>
  )
}
