import { Burger, Text } from '@mantine/core'

import { useSignedInUser } from '../session/current-user'
import { ColorSchemeToggle } from './color-scheme-toggle'
import { NotificationBell } from './notification-bell'
import { UserMenu } from './user-menu'

import classes from './header.module.css'

interface HeaderProps {
  isMenuOpen: boolean
  onMenu: () => void
}

export function Header({ isMenuOpen, onMenu }: HeaderProps) {
  const user = useSignedInUser()
  return (
    <header className={classes.header}>
      <Burger
        size="sm"
        className={classes.burger}
        opened={isMenuOpen}
        aria-label="Open the menu"
        aria-expanded={isMenuOpen}
        onClick={onMenu}
      />
      <Text component="div" truncate flex={1} c="dimmed" fz="sm" title={user.username}>
        Welcome back, <bdi>{user.username}</bdi>
      </Text>
      <NotificationBell />
      <ColorSchemeToggle />
      <UserMenu />
    </header>
  )
}
