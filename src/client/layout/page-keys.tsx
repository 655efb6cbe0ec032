import { lazyDialog } from '../components/dialog/lazy-dialog'
import { usePageKeys } from '../lib/use-page-keys'

const CommandPalette = lazyDialog(async () => (await import('./command-palette')).CommandPalette)

const ShortcutsDialog = lazyDialog(async () => (await import('./shortcuts-dialog')).ShortcutsDialog)

interface Disclosed {
  open: () => void
  close: () => void
}

interface PageKeysProps {
  areShortcutsOpen: boolean
  shortcuts: Disclosed
  isPaletteOpen: boolean
  palette: Disclosed
  onChangePassword: () => void
}

/** What the keys of every page open: the command palette, and the list of the keys. */
export function PageKeys(props: PageKeysProps) {
  const { areShortcutsOpen, shortcuts, isPaletteOpen, palette, onChangePassword } = props
  usePageKeys({ onPalette: palette.open, onHelp: shortcuts.open })
  return (
    <>
      <CommandPalette
        isOpen={isPaletteOpen}
        onClose={palette.close}
        changePassword={onChangePassword}
        showShortcuts={shortcuts.open}
      />
      <ShortcutsDialog isOpen={areShortcutsOpen} onClose={shortcuts.close} />
    </>
  )
}
