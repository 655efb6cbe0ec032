import { Button } from '@mantine/core'
import { IconKey, IconShieldExclamation } from '@tabler/icons-react'

import { readHostKey } from '../../../shared/host-key'

import classes from './host-key-panel.module.css'

/** The key that a server has shown. */
export interface ShownHostKey {
  hostKey: string
  /** Whether others were confirmed before. */
  isChanged: boolean
}

interface HostKeyPanelProps {
  shown: ShownHostKey
  /** The keys that were confirmed before. */
  confirmed: readonly string[]
  isPending: boolean
  onConfirm: () => void
}

/** Asks whether the key that a server has shown is its own, before anything is sent to it. */
export function HostKeyPanel({ shown, confirmed, isPending, onConfirm }: HostKeyPanelProps) {
  const { isChanged } = shown
  const Glyph = isChanged ? IconShieldExclamation : IconKey
  return (
    <section
      className={classes.panel}
      data-changed={isChanged || undefined}
      aria-labelledby="host-key-title"
    >
      <Glyph className={classes.icon} size={26} stroke={1.6} aria-hidden="true" />
      <div className={classes.body}>
        <h3 id="host-key-title" className={classes.title}>
          {isChanged
            ? 'The server shows another key than before'
            : 'Is this the key of the server?'}
        </h3>
        <p className={classes.text}>
          {isChanged
            ? 'It may have been set up anew, or somebody is in between. Ask its operator which key is right. Nothing was sent.'
            : 'Compare it with the fingerprint that its operator publishes. User name and password are sent only to a server with a confirmed key; nothing was sent yet.'}
        </p>
        <dl className={classes.keys}>
          <Key label={isChanged ? 'Now' : 'Key'} text={shown.hostKey} />
          {isChanged && confirmed.map((text) => <Key key={text} label="Confirmed" text={text} />)}
        </dl>
        <Button
          color={isChanged ? 'red' : undefined}
          variant={isChanged ? 'light' : 'filled'}
          loading={isPending}
          onClick={onConfirm}
        >
          {isChanged ? 'Confirm the new key instead' : 'Confirm this key'}
        </Button>
      </div>
    </section>
  )
}

function Key({ label, text }: { label: string; text: string }) {
  const { type, fingerprint } = readHostKey(text) ?? { type: undefined, fingerprint: text }
  return (
    <div>
      <dt>
        {label}
        {type && <span className={classes.type}>{type}</span>}
      </dt>
      <dd>{fingerprint}</dd>
    </div>
  )
}
