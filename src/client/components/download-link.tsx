import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useRef, type MouseEvent } from 'react'

import { showError } from '../lib/toast'

interface DownloadLinkProps {
  href: string
  children: string
  variant?: 'filled' | 'default'
}

/**
 * A plain link to a file. An ordinary click first asks whether the file can be had, because the
 * browser would save or show a refusal as if it were the file.
 */
export function DownloadLink({ href, children, variant = 'filled' }: DownloadLinkProps) {
  const isChecked = useRef(false)

  async function checkFirst(event: MouseEvent<HTMLAnchorElement>) {
    const link = event.currentTarget
    const isOrdinary = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isOrdinary || isChecked.current) return
    event.preventDefault()
    if (!(await isAvailable(href))) {
      showError('Failed to download CSV file')
      return
    }
    isChecked.current = true
    link.click()
    isChecked.current = false
  }

  return (
    <Button
      component="a"
      href={href}
      download
      variant={variant}
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      onClick={checkFirst}
    >
      {children}
    </Button>
  )
}

async function isAvailable(href: string): Promise<boolean> {
  try {
    return (await fetch(href, { method: 'HEAD' })).ok
  } catch {
    return false
  }
}
