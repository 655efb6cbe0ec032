import { Burger, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

import { useSignedInUser } from '../session/current-user'
import { ChangePasswordDialog } from '../session/lazy-dialogs'
import { ColorSchemeToggle } from './color-scheme-toggle'
import { NotificationBell } from './notification-bell'
import { PageKeys } from './page-keys'
import { PaletteButton } from './palette-button'
import { SupplierSwitch } from './supplier-switch'
import { UserMenu } from './user-menu'

import classes from './header.module.css'

interface HeaderProps {
  isMenuOpen: boolean
  onMenu: () => void
}

export function Header({ isMenuOpen, onMenu }: HeaderProps) {
  const user = useSignedInUser()
  const [isPasswordOpen, password] = useDisclosure(false)
  const [areShortcutsOpen, shortcuts] = useDisclosure(false)
  const [isPaletteOpen, palette] = useDisclosure(false)
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
      <SupplierSwitch />
      <Text component="div" truncate flex={1} c="dimmed" fz="sm" title={user.username}>
        Welcome back, <bdi>{user.username}</bdi>
      </Text>
      <PaletteButton onClick={palette.open} />
      <NotificationBell />
      <ColorSchemeToggle />
      <UserMenu onChangePassword={password.open} onShowShortcuts={shortcuts.open} />
      <PageKeys
        areShortcutsOpen={areShortcutsOpen}
        shortcuts={shortcuts}
        isPaletteOpen={isPaletteOpen}
        palette={palette}
        onChangePassword={password.open}
      />
      <ChangePasswordDialog isOpen={isPasswordOpen} onClose={password.close} />
    </header>
  )
}
