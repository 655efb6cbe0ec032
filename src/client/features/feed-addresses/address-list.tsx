import { Group } from '@mantine/core'

import type { FeedAddress } from '../../../shared/schemas/feed-address'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'

import classes from './feed-address-card.module.css'

/** The addresses that work now, each by the end of its token. */
export function AddressList({
  addresses,
  fileName,
}: {
  addresses: FeedAddress[]
  /** What an address ends in. */
  fileName: string
}) {
  return (
    <ul className={classes.addresses} aria-label="Feed addresses">
      {addresses.map((address) => (
        <Group component="li" key={address.id} justify="space-between" gap="4px 16px">
          <Group gap="4px 12px" miw={0}>
            <code className={classes.path}>
              /feeds/…{address.tokenEnd}/{fileName}
            </code>
            {address.expiresAt ? (
              <StatusBadge tone="warn">
                <span>
                  Ends <TimeAgo instant={address.expiresAt} />
                </span>
              </StatusBadge>
            ) : (
              <StatusBadge tone="good">Active</StatusBadge>
            )}
          </Group>
          <span className={classes.note}>
            {address.lastUsedAt ? (
              <>
                Read <TimeAgo instant={address.lastUsedAt} />
                {address.lastClient && ` with ${address.lastClient}`}
              </>
            ) : (
              'Not read yet'
            )}
          </span>
        </Group>
      ))}
    </ul>
  )
}
