import type { Passkey } from '../../../shared/schemas/passkey'
import { showFailure, showSuccess } from '../../lib/toast'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { trpc } from '../../trpc'

/** Removes a passkey of the user, after a question. */
export function useRemovePasskey() {
  const { passkeys, people } = trpc.useUtils()
  const question = useDialogSubject<Passkey>()
  const remove = trpc.passkeys.remove.useMutation({
    onSuccess: async ({ message }) => {
      question.close()
      await Promise.all([passkeys.invalidate(), people.invalidate()])
      showSuccess(message)
    },
    // It may have been removed meanwhile.
    onError: (error) => {
      void passkeys.invalidate()
      showFailure(error, 'The passkey could not be removed')
    },
  })
  return {
    question,
    isPending: remove.isPending,
    remove: () => question.subject && remove.mutate({ id: question.subject.id }),
  }
}
