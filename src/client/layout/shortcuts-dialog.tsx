import { Kbd, Modal } from '@mantine/core'

import type { DialogProps } from '../components/dialog/lazy-dialog'

import classes from './shortcuts-dialog.module.css'

const KEYS: [what: string, keys: string[]][] = [
  ['Go to a page, find a retailer or start an action', ['Ctrl', 'K']],
  ['Search the list of this page', ['/']],
  ['Show these shortcuts', ['?']],
  ['Go to the notification', ['F8']],
  ['Close a dialog or a menu', ['Esc']],
]

/** The keys that work on every page. */
export function ShortcutsDialog({ isOpen, onClose }: DialogProps) {
  const isMac = navigator.userAgent.includes('Mac')
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard Shortcuts">
      <dl className={classes.keys}>
        {KEYS.map(([what, keys]) => (
          <div key={what} className={classes.key}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{isMac && key === 'Ctrl' ? '⌘' : key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
