import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

import classes from './copyable-code.module.css'

/** A code block with a Copy button; `label` completes the button's accessible name. */
export function CopyableCode({ code, label }: { code: string; label: string }) {
  const clipboard = useClipboard({ timeout: 2_000 })
  const Glyph = clipboard.copied ? IconCheck : IconCopy
  // The clipboard is only available over https and on localhost.
  const text = clipboard.error ? 'Select to copy' : clipboard.copied ? 'Copied' : 'Copy'
  return (
    <div className={classes.block}>
      <pre className={classes.code}>
        <code>{code}</code>
      </pre>
      <Button
        className={classes.copy}
        size="compact-xs"
        variant="default"
        aria-label={`${text} ${label}`}
        leftSection={<Glyph size={13} stroke={1.75} aria-hidden="true" />}
        onClick={() => clipboard.copy(code)}
      >
        {text}
      </Button>
    </div>
  )
}
