import type { Person } from '../../../shared/schemas/person'
import { showFailure, showSuccess } from '../../lib/toast'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { useAdoptIdentity } from '../../session/current-user'
import { trpc } from '../../trpc'

/** What can be done with the people of a company, and the dialogs that it needs. */
export function usePersonActions(companyId: number | undefined) {
  const utils = trpc.useUtils()
  const adoptIdentity = useAdoptIdentity()
  const role = useDialogSubject<Person>()
  const closing = useDialogSubject<Person>()
  const removal = useDialogSubject<Person>()
  const factor = useDialogSubject<Person>()

  async function refresh({ personId }: { personId: number }) {
    const people = utils.people.list.getData({ companyId })
    if (people?.some(({ id, isSelf }) => isSelf && id === personId)) {
      // Whoever changes itself may do less now, or is signed out.
      return adoptIdentity(await utils.client.session.current.query())
    }
    // What somebody has invited to ends with the access.
    void utils.invitations.invalidate()
    return await utils.people.invalidate()
  }

  const options = (failure: string, close: () => void) => ({
    onSuccess: async ({ message }: { message: string }, input: { personId: number }) => {
      close()
      await refresh(input)
      showSuccess(message)
    },
    // Somebody else may have changed the person meanwhile.
    onError: (error: unknown) => {
      void utils.people.invalidate()
      showFailure(error, failure)
    },
  })

  return {
    role,
    closing,
    removal,
    factor,
    setRole: trpc.people.setRole.useMutation(options('The role could not be changed', role.close)),
    setActive: trpc.people.setActive.useMutation(
      options('The access could not be changed', closing.close),
    ),
    remove: trpc.people.remove.useMutation(
      options('The person could not be removed', removal.close),
    ),
    turnOffFactor: trpc.people.turnOffSecondFactor.useMutation(
      options('The second factor could not be turned off', factor.close),
    ),
  }
}
