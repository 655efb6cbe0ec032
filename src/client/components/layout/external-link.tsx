import { Anchor, VisuallyHidden } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'

import { Truncated } from './truncated'

import classes from './external-link.module.css'

/** A link to another site, opened in a new tab. */
export function ExternalLink({ href, children }: { href: string; children: string }) {
  return (
    <Truncated text={children} dir="ltr">
      <Anchor
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className={classes.link}
        onClick={(event) => event.stopPropagation()}
      >
        <span data-truncates>{children}</span>
        <IconExternalLink size={14} stroke={1.75} aria-hidden="true" />
        <VisuallyHidden>(opens in a new tab)</VisuallyHidden>
      </Anchor>
    </Truncated>
  )
}
