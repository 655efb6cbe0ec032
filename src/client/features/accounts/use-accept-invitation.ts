import { useForm } from '@mantine/form'

import type { InvitationForm } from '../../../shared/schemas/user'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { showFailure } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useAdoptSignIn } from '../../session/current-user'
import { trpc } from '../../trpc'
import { useGoogleWindow } from './use-google-sign-in'

/** The form of an invitation and its calls; whoever accepts is signed in. @param asksEmail whether no address is known */
export function useAcceptInvitation(token: string, asksEmail: boolean) {
  const adoptSignIn = useAdoptSignIn()
  const form = useForm<InvitationForm>({
    initialValues: { username: '', password: '', contactEmail: '' },
    validate: lazySchemaResolver(async () => {
      const { invitationFormSchema } = await import('../../../shared/schemas/user')
      return asksEmail ? invitationFormSchema : invitationFormSchema.omit({ contactEmail: true })
    }),
  })
  const accept = trpc.invitations.accept.useMutation({
    onSuccess: adoptSignIn,
    onError: (error) => showFailure(error, 'The invitation could not be accepted'),
  })
  useFieldErrors(form, accept.error)
  const withGoogle = trpc.invitations.acceptWithGoogle.useMutation()
  const google = useGoogleWindow(({ uid }) => withGoogle.mutateAsync({ token, uid }))
  return {
    form,
    error: accept.error,
    isPending: accept.isPending,
    /** Whoever has accepted, and is signed in. */
    user: accept.data ?? withGoogle.data,
    accept: (values: InvitationForm) => accept.mutate({ token, ...values }),
    google,
  }
}
