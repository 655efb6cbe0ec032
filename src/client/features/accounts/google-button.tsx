import { Button, Text } from '@mantine/core'
import { useId, type MouseEventHandler } from 'react'

import classes from './google-button.module.css'

interface GoogleButtonProps {
  /** No identity provider is configured: the button shows it, and pressing it says so again. */
  isMissing: boolean
  onClick: MouseEventHandler<HTMLButtonElement>
}

export function GoogleButton({ isMissing, onClick }: GoogleButtonProps) {
  const noteId = useId()
  return (
    <>
      <Button
        variant="default"
        size="md"
        fullWidth
        leftSection={<GoogleMark />}
        data-disabled={isMissing || undefined}
        aria-disabled={isMissing || undefined}
        aria-describedby={isMissing ? noteId : undefined}
        onClick={onClick}
      >
        Sign in with Google
      </Button>
      {isMissing && (
        <Text id={noteId} c="dimmed" size="sm" ta="center" mt="xs">
          Not available on this server: no identity provider is configured.
        </Text>
      )}
    </>
  )
}

function GoogleMark() {
  return (
    <svg
      className={classes.mark}
      width="16"
      height="16"
      viewBox="0 0 48 48"
      aria-hidden="true"
      focusable="false"
    >
      <path
        fill="#4285f4"
        d="M45.1 24.5c0-1.6-.1-3.1-.4-4.5H24v8.5h11.800c-.5 2.800-2.100 5.100-4.400 6.700v5.500h7.100c4.200-3.800 6.600-9.500 6.600-16.200z"
      />
      <path
        fill="#34a853"
        d="M24 46c5.900 0 10.900-2 14.500-5.300l-7.100-5.500c-2 1.300-4.5 2.100-7.400 2.100-5.700 0-10.600-3.900-12.300-9.100H4.300v5.700C7.900 41.100 15.400 46 24 46z"
      />
      <path
        fill="#fbbc05"
        d="M11.7 28.200c-.4-1.300-.7-2.700-.7-4.200s.3-2.900.7-4.200v-5.700H4.300C2.800 17.100 2 20.400 2 24s.8 6.900 2.300 9.900l7.400-5.700z"
      />
      <path
        fill="#ea4335"
        d="M24 10.700c3.200 0 6.100 1.100 8.400 3.300l6.300-6.300C34.900 4.200 29.900 2 24 2 15.400 2 7.900 6.900 4.300 14.100l7.400 5.700c1.700-5.200 6.600-9.100 12.300-9.100z"
      />
    </svg>
  )
}
