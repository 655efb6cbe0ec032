import type { ApiKey } from '../../../shared/schemas/api-key'
import { showFailure, showSuccess } from '../../lib/toast'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { trpc } from '../../trpc'

/** Ends keys after a question: the caller's own or, for owners and administrators, those of a person. */
export function useEndApiKey(personId: number | undefined) {
  const { apiKeys } = trpc.useUtils()
  const question = useDialogSubject<ApiKey>()
  const end = trpc.apiKeys.end.useMutation({
    onSuccess: async ({ message }) => {
      question.close()
      await apiKeys.invalidate()
      showSuccess(message)
    },
    // It may have ended meanwhile.
    onError: (error) => {
      question.close()
      void apiKeys.invalidate()
      showFailure(error, 'The key could not be ended')
    },
  })
  return {
    question,
    isPending: end.isPending,
    end: () => question.subject && end.mutate({ id: question.subject.id, personId }),
  }
}
