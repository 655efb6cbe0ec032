import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import {
  IconApi,
  IconBell,
  IconDeviceDesktop,
  IconDevices,
  IconHelp,
  IconKey,
  IconKeyboard,
  IconLock,
  IconLogout,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'

import type { MemberRole, Role } from '../../shared/constants'
import { formatInitials } from '../../shared/format'
import { Truncated } from '../components/layout/truncated'
import { MEMBER_ROLE_LABELS } from '../lib/member-roles'
import { useSignedInUser } from '../session/current-user'
import { useOwnRetailer } from '../session/relation'
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
            {user.member ? <MemberOf role={user.member.role} /> : ROLE_NAMES[user.role]}
          </Text>
        </div>
        <Menu.Divider />
        <Entries {...entries} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** The role of a person, and for whom: a retailer is known by its store. */
function MemberOf({ role }: { role: MemberRole }) {
  const { role: kind, companyName } = useSignedInUser()
  const own = useOwnRetailer({ enabled: kind === 'RETAILER' })
  const company = (kind === 'RETAILER' ? own.data?.storeName : companyName) || ROLE_NAMES[kind]
  return <Truncated text={`${MEMBER_ROLE_LABELS[role]} · ${company}`} />
}

interface EntriesProps {
  onChangePassword: () => void
  onShowShortcuts: () => void
}

function Entries({ onChangePassword, onShowShortcuts }: EntriesProps) {
  const user = useSignedInUser()
  const logout = useLogout()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Entry icon={IconLock} onClick={onChangePassword}>
        Change Password
      </Entry>
      <LinkEntry icon={IconDevices} to="/sessions">
        Sessions
      </LinkEntry>
      {user.role !== 'SUPER_ADMIN' && (
        <LinkEntry icon={IconUsers} to="/people">
          People
        </LinkEntry>
      )}
      <LinkEntry icon={IconKey} to="/api-keys">
        API keys
      </LinkEntry>
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
