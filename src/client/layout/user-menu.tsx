import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import {
  IconApi,
  IconBell,
  IconDeviceDesktop,
  IconHelp,
  IconKeyboard,
  IconLock,
  IconLogout,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

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
      <Menu.Item leftSection={<IconLock size={16} stroke={1.75} />} onClick={onChangePassword}>
        Change Password
      </Menu.Item>
      <Menu.Item component={Link} to="/api-docs" leftSection={<IconApi size={16} stroke={1.75} />}>
        API
      </Menu.Item>
      <Menu.Item leftSection={<IconKeyboard size={16} stroke={1.75} />} onClick={onShowShortcuts}>
        Keyboard Shortcuts
      </Menu.Item>
      <Menu.Item component={Link} to="/alerts" leftSection={<IconBell size={16} stroke={1.75} />}>
        Alerts
      </Menu.Item>
      <Menu.Item component={Link} to="/help" leftSection={<IconHelp size={16} stroke={1.75} />}>
        Help
      </Menu.Item>
      {colorScheme !== 'auto' && (
        <Menu.Item
          leftSection={<IconDeviceDesktop size={16} stroke={1.75} />}
          onClick={() => setColorScheme('auto')}
        >
          Use system colours
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconLogout size={16} stroke={1.75} />}
        onClick={() => logout.mutate()}
      >
        Logout
      </Menu.Item>
    </>
  )
}
