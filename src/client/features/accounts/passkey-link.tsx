import { Anchor } from '@mantine/core'
import type { CSSProperties } from 'react'

interface PasskeyLinkProps {
  onClick: () => void
  style?: CSSProperties
}

/** Uses a passkey in place of what the form asks for. */
export const PasskeyLink = (props: PasskeyLinkProps) => (
  <Anchor component="button" type="button" size="sm" underline="always" {...props}>
    Use a passkey
  </Anchor>
)
