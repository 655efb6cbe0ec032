import type { CurrentUser } from '../../../shared/schemas/user'
import { errorMessage } from '../../lib/error-message'
import { askPasskey, PasskeyQuestionReplaced } from '../../lib/passkeys'
import { showError } from '../../lib/toast'
import type { trpc } from '../../trpc'

type Client = ReturnType<typeof trpc.useUtils>['client']

/**
 * Signs in by a passkey, or says why that failed.
 * @param username whose it has to be, after a right password
 */
export async function signInByPasskey(
  { passkeys }: Client,
  adoptSignIn: (user: CurrentUser) => Promise<void>,
  username?: string,
): Promise<void> {
  try {
    const answer = await askPasskey(await passkeys.prepareSignIn.mutate())
    await adoptSignIn(await passkeys.signIn.mutate({ answer, username }))
  } catch (error) {
    if (!(error instanceof PasskeyQuestionReplaced)) showError(errorMessage(error), 'Login failed')
  }
}
