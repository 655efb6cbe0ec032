import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** Creates or ends the address of a connection. */
export function useMailInbox(id: number) {
  const { mailInboxes } = trpc.useUtils()
  const refresh = () => mailInboxes.get.invalidate({ id })
  return {
    create: trpc.mailInboxes.create.useMutation({
      onSuccess: refresh,
      onError: (error) => showFailure(error, 'The address could not be created'),
    }),
    revoke: trpc.mailInboxes.revoke.useMutation({
      async onSuccess() {
        await refresh()
        showSuccess('Address revoked')
      },
      onError: (error) => showFailure(error, 'The address could not be revoked'),
    }),
  }
}

/** Decides on mails that wait. */
export function useDecisions(id: number) {
  const { mails, mailInboxes, receivedFiles, connections } = trpc.useUtils()
  // Somebody else may have decided meanwhile.
  const onSettled = async () => {
    await Promise.all([
      mails.list.invalidate({ id }),
      mailInboxes.get.invalidate({ id }),
      receivedFiles.list.invalidate({ id }),
      connections.list.invalidate(),
    ])
  }
  return {
    take: trpc.mails.take.useMutation({
      onSuccess: (_, { allowsSender }) =>
        showSuccess(
          allowsSender
            ? 'The file is read now, and the next mails of this sender are taken.'
            : 'The file is read now.',
        ),
      onError: (error) => showFailure(error, 'The file could not be taken'),
      onSettled,
    }),
    discard: trpc.mails.discard.useMutation({
      onSuccess: ({ message }) => showSuccess(message),
      onError: (error) => showFailure(error, 'The mail could not be discarded'),
      onSettled,
    }),
  }
}
