import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import {
  IconApi,
  IconBell,
  IconDeviceDesktop,
  IconHelp,
  IconKeyboard,
  IconLock,
  IconLogout,
  type Icon,
} from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'

import type { Role } from '../../shared/constants'
import { formatInitials } from '../../shared/format'
import { Truncated } from '../components/layout/truncated'
import { useSignedInUser } from '../session/current-user'
import { useLogout } from '../session/use-logout'

import classes from './header.module.css'

const ROLE_NAMES: Record<Role, string> = {
  SUPER_ADMIN: 'Administrator',
  SUPPLIER: 'Supplier',
  RETAILER: 'Retailer',
}

export function UserMenu(entries: EntriesProps) {
  const user = useSignedInUser()
  const initials = formatInitials(user.username)
  return (
    <Menu position="bottom-end" width={220} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton
          className={classes.avatarButton}
          aria-label={`${initials}, account of ${user.username}`}
        >
          <Avatar size={32} radius="xl" className={classes.avatar} aria-hidden="true">
            {initials}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.identity}>
          <Truncated text={user.username} tone="strong" />
          <Text component="div" c="dimmed" fz="xs">
            {ROLE_NAMES[user.role]}
          </Text>
        </div>
        <Menu.Divider />
        <Entries {...entries} />
      </Menu.Dropdown>
    </Menu>
  )
}

interface EntriesProps {
  onChangePassword: () => void
  onShowShortcuts: () => void
}

function Entries({ onChangePassword, onShowShortcuts }: EntriesProps) {
  const logout = useLogout()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Entry icon={IconLock} onClick={onChangePassword}>
        Change Password
      </Entry>
      <LinkEntry icon={IconApi} to="/api-docs">
        API
      </LinkEntry>
      <Entry icon={IconKeyboard} onClick={onShowShortcuts}>
        Keyboard Shortcuts
      </Entry>
      <LinkEntry icon={IconBell} to="/alerts">
        Alerts
      </LinkEntry>
      <LinkEntry icon={IconHelp} to="/help">
        Help
      </LinkEntry>
      {colorScheme !== 'auto' && (
        <Entry icon={IconDeviceDesktop} onClick={() => setColorScheme('auto')}>
          Use system colours
        </Entry>
      )}
      <Menu.Divider />
      <Entry icon={IconLogout} onClick={() => logout.mutate()}>
        Logout
      </Entry>
    </>
  )
}

interface EntryProps {
  icon: Icon
  children: string
}

const iconOf = (Mark: Icon) => <Mark size={16} stroke={1.75} />

const Entry = ({ icon, ...props }: EntryProps & { onClick: () => void }) => (
  <Menu.Item leftSection={iconOf(icon)} {...props} />
)

const LinkEntry = ({ icon, ...props }: EntryProps & { to: NonNullable<LinkProps['to']> }) => (
  <Menu.Item component={Link} leftSection={iconOf(icon)} {...props} />
)
