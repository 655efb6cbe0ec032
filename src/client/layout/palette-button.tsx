import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

import { PALETTE_KEYS } from '../lib/key-names'

import classes from './palette-button.module.css'

const KEYS = PALETTE_KEYS.join('+')

/** Opens the command palette; looks like the field that it opens, and is an icon on phones. */
export const PaletteButton = ({ onClick }: { onClick: () => void }) => (
  <UnstyledButton
    className={classes.button}
    // On phones neither is shown.
    aria-label={`Find anything ${KEYS}`}
    aria-haspopup="dialog"
    aria-keyshortcuts="Control+K Meta+K"
    onClick={onClick}
  >
    <IconSearch size={18} stroke={1.75} aria-hidden="true" />
    <span className={classes.text}>Find anything</span> <kbd className={classes.keys}>{KEYS}</kbd>
  </UnstyledButton>
)
