import { ActionIcon, Button, Popover, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'

import { formatCountOf } from '../../shared/format'
import { TextLink } from '../components/layout/links'
import { showFailure } from '../lib/toast'
import { trpc } from '../trpc'
import { NotificationList } from './notification-list'

import classes from './notification-bell.module.css'

const MAX_SHOWN = 99

/** What the user was told of, with the number of what is unread; kept up to date by the event stream. */
export function NotificationBell() {
  const [isOpen, list] = useDisclosure(false)
  const { data } = trpc.alerts.list.useQuery()
  const unread = data?.unreadCount ?? 0
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && list.close()}
      position="bottom-end"
      width="min(400px, calc(100vw - 24px))"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Tooltip label="Notifications" disabled={isOpen}>
          <ActionIcon
            size="lg"
            className={classes.bell}
            aria-label={
              unread > 0
                ? `Notifications, ${formatCountOf(unread, 'unread', 'unread')}`
                : 'Notifications'
            }
            aria-expanded={isOpen}
            onClick={list.toggle}
          >
            <IconBell size={18} stroke={1.75} />
            {unread > 0 && (
              <span className={classes.count} aria-hidden="true">
                {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
              </span>
            )}
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications">
        <Opened unread={unread} onClose={list.close} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Opened({ unread, onClose }: { unread: number; onClose: () => void }) {
  const query = trpc.alerts.list.useQuery()
  const markRead = useMarkRead()
  return (
    <>
      <div className={classes.header}>
        <h2 className={classes.title}>Notifications</h2>
        {unread > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => markRead.mutate({})}>
            Mark all read
          </Button>
        )}
      </div>
      <NotificationList
        query={query}
        onOpen={({ id, isRead }) => {
          if (!isRead) markRead.mutate({ id })
          onClose()
        }}
      />
      <div className={classes.footer}>
        <TextLink to="/alerts" onClick={onClose}>
          Choose what you are told of
        </TextLink>
      </div>
    </>
  )
}

function useMarkRead() {
  const utils = trpc.useUtils()
  return trpc.alerts.markRead.useMutation({
    onSuccess: () => utils.alerts.list.invalidate(),
    onError: (error) => showFailure(error, 'It could not be marked as read'),
  })
}
