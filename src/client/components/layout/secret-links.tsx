import { Group } from '@mantine/core'

import type { SecretLink } from '../../../shared/schemas/secret-link'
import { useNow } from '../../lib/use-now'
import { StatusBadge } from '../feedback/status-badge'
import { TimeAgo } from '../feedback/time-ago'

import classes from './secret-links.module.css'

/** A link that may have an end of its own, by which it was to expire. */
export type ExpiringLink = SecretLink & { validUntil?: string | null }

interface SecretLinksProps {
  label: string
  links: ExpiringLink[]
  /** What is shown of the address of a link, of whose token only the end is known. */
  toPath: (tokenEnd: string) => string
  /** What is done with them: `Read 5 minutes ago`. */
  use: 'Read' | 'Used'
}

/** The addresses or links that work now without signing in, each by the end of its token. */
export function SecretLinks({ label, links, toPath, use }: SecretLinksProps) {
  const now = useNow()
  return (
    <ul className={classes.list} aria-label={label}>
      {links.map((link) => (
        <Group component="li" key={link.id} justify="space-between" gap="4px 16px">
          <Group gap="4px 12px" miw={0}>
            <code className={classes.path}>{toPath(link.tokenEnd)}</code>
            {link.validUntil && Date.parse(link.validUntil) <= now ? (
              <StatusBadge tone="bad">Expired</StatusBadge>
            ) : link.expiresAt ? (
              <StatusBadge tone="warn">
                <span>
                  Ends <TimeAgo instant={link.expiresAt} />
                </span>
              </StatusBadge>
            ) : (
              <StatusBadge tone="good">Active</StatusBadge>
            )}
          </Group>
          <span className={classes.note}>
            {link.lastUsedAt ? (
              <>
                {use} <TimeAgo instant={link.lastUsedAt} />
                {link.lastClient && ` with ${link.lastClient}`}
              </>
            ) : (
              `Not ${use.toLowerCase()} yet`
            )}
          </span>
        </Group>
      ))}
    </ul>
  )
}
