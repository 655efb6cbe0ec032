import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** Confirms an address when the page was opened by the link that was mailed to it. */
export function useConfirmLink(): void {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const { hash } = useLocation()
  const { mutate } = trpc.alerts.confirmAddress.useMutation({
    onSuccess: ({ message }) => {
      showSuccess(message)
      void utils.alerts.choices.invalidate()
    },
    onError: (error) => showFailure(error, 'The address could not be confirmed'),
  })
  const token = /^confirm=([\w-]{1,100})$/.exec(hash)?.[1]
  useEffect(() => {
    if (token === undefined) return
    mutate({ token })
    void navigate({ to: '/alerts', hash: '', replace: true })
  }, [token, mutate, navigate])
}
