import { Kbd, Modal } from '@mantine/core'

import type { DialogProps } from '../components/dialog/lazy-dialog'
import { PALETTE_KEYS } from '../lib/key-names'

import classes from './shortcuts-dialog.module.css'

const KEYS: [what: string, keys: string[]][] = [
  ['Find a record or an item, go to a page or start an action', PALETTE_KEYS],
  ['Search the list of this page', ['/']],
  ['Show these shortcuts', ['?']],
  ['Go to the notification', ['F8']],
  ['Close a dialog or a menu', ['Esc']],
]

/** The keys that work on every page. */
export function ShortcutsDialog({ isOpen, onClose }: DialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard Shortcuts">
      <dl className={classes.keys}>
        {KEYS.map(([what, keys]) => (
          <div key={what} className={classes.key}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
