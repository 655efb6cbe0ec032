import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, type MouseEvent } from 'react'

import { awaitFile, checkFile } from '../../lib/check-file'
import { showError } from '../../lib/toast'

interface DownloadLinkProps {
  href: string
  children: string
  variant?: 'filled' | 'default'
  isCompact?: boolean
  /** Whether the file may have to be prepared first, which is waited for. */
  waits?: boolean
  /** What the toast says when it fails. */
  failure?: string
}

/**
 * A download link. A plain click sends a HEAD request first and shows an error toast when it fails:
 * otherwise the browser would save the error response as if it were the file.
 */
export function DownloadLink(props: DownloadLinkProps) {
  const { href, children, variant = 'filled', isCompact = false, waits = false } = props
  const { failure = 'Failed to download CSV file' } = props
  const isChecked = useRef(false)
  const check = useMutation({
    mutationFn: waits ? awaitFile : checkFile,
    onError: () => showError(failure),
  })

  function checkFirst(event: MouseEvent<HTMLAnchorElement>) {
    const link = event.currentTarget
    const isOrdinary = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isOrdinary || isChecked.current) return
    event.preventDefault()
    if (check.isPending) return
    check.mutate(href, {
      onSuccess: () => {
        isChecked.current = true
        link.click()
        isChecked.current = false
      },
    })
  }

  return (
    <Button
      component="a"
      href={href}
      download
      variant={variant}
      {...(isCompact && { size: 'xs' })}
      {...(waits && { loading: check.isPending, 'aria-busy': check.isPending })}
      leftSection={<IconDownload size={isCompact ? 14 : 16} aria-hidden="true" />}
      onClick={checkFirst}
    >
      {children}
    </Button>
  )
}
