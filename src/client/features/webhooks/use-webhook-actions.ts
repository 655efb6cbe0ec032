import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** What can be done with a webhook besides editing it. */
export function useWebhookActions() {
  const { webhooks } = trpc.useUtils()
  const done = async ({ message }: { message: string }) => {
    showSuccess(message)
    await webhooks.invalidate()
  }
  const failing = (what: string) => ({
    onSuccess: done,
    onError: (error: unknown) => showFailure(error, what),
  })
  return {
    sendTest: trpc.webhooks.sendTest.useMutation(failing('The test could not be sent')),
    sendAgain: trpc.webhooks.sendAgain.useMutation(failing('It could not be sent again')),
    switchOn: trpc.webhooks.update.useMutation({
      ...failing('The webhook could not be switched on'),
      onSuccess: () => done({ message: 'The webhook is switched on' }),
    }),
    remove: trpc.webhooks.delete.useMutation(failing('The webhook could not be deleted')),
  }
}
