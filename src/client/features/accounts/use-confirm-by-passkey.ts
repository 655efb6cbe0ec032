import { hasPasskeys } from '../../lib/has-passkeys'
import { askPasskey, PasskeyQuestionReplaced } from '../../lib/passkeys'
import { showFailure } from '../../lib/toast'
import { trpc } from '../../trpc'

/** Has a passkey of the user answer, to confirm who is there; undefined for those who have none here. */
export function useConfirmByPasskey(onConfirmed: () => void) {
  const own = trpc.passkeys.list.useQuery().data
  const prepare = trpc.confirmation.prepareByPasskey.useMutation()
  const confirm = trpc.confirmation.byPasskey.useMutation()
  const isUsable =
    hasPasskeys() &&
    own?.origin === location.origin &&
    own.passkeys.some(({ otherHost }) => otherHost === null)
  if (!isUsable) return undefined
  return async () => {
    try {
      await confirm.mutateAsync({ answer: await askPasskey(await prepare.mutateAsync()) })
      onConfirmed()
    } catch (error) {
      if (!(error instanceof PasskeyQuestionReplaced)) showFailure(error)
    }
  }
}
