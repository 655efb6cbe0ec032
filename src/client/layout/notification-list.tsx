import { Text, VisuallyHidden } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import type { Notification } from '../../shared/schemas/alert'
import { LoadingBlock } from '../components/feedback/loading-block'
import { EmptyState, LoadError, type FailedQuery } from '../components/feedback/message-state'
import { TimeAgo } from '../components/feedback/time-ago'
import { toLocation } from '../lib/to-location'

import classes from './notification-bell.module.css'

interface NotificationListProps {
  query: FailedQuery & { data: { notifications: Notification[] } | undefined; isError: boolean }
  onOpen: (notification: Notification) => void
}

/** The newest notifications, each a link to where its subject is. */
export function NotificationList({ query, onOpen }: NotificationListProps) {
  const { data, isError } = query
  if (isError && !data) {
    return <LoadError isCompact title="The notifications could not be loaded" query={query} />
  }
  if (!data) return <LoadingBlock height={120} label="Loading the notifications" />
  if (data.notifications.length === 0) {
    return (
      <EmptyState isCompact icon={IconBellOff} title="Nothing yet">
        You are told here when something needs you.
      </EmptyState>
    )
  }
  return (
    <ul className={classes.list}>
      {data.notifications.map((notification) => (
        <li key={notification.id}>
          <Link
            {...toLocation(notification.path)}
            className={classes.item}
            data-unread={!notification.isRead || undefined}
            onClick={() => onOpen(notification)}
          >
            <span className={classes.what}>
              {!notification.isRead && <VisuallyHidden>Unread: </VisuallyHidden>}
              {notification.title}
            </span>
            {notification.text && <span className={classes.text}>{notification.text}</span>}
            <Text span c="dimmed" fz="xs">
              <TimeAgo instant={notification.createdAt} />
            </Text>
          </Link>
        </li>
      ))}
    </ul>
  )
}
