import { Tooltip } from '@mantine/core'
import {
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
} from 'react'

import classes from './truncated.module.css'

interface TruncatedProps {
  /** The whole text, shown in a tooltip when it is cut. */
  text: string
  /** What is shown instead of the plain text, such as a link; `data-truncates` marks the part to cut. */
  children?: ReactNode
  /** Number of lines after which the text is cut. */
  lines?: number
  /** `ltr` for addresses and codes. */
  dir?: 'auto' | 'ltr'
  /** Looks of the text. */
  tone?: 'strong' | 'note'
}

/**
 * A text that is cut where it does not fit. The tooltip opens on hover, and when a link inside is
 * reached with the keyboard. Phones, which have no hover, show up to three lines.
 */
export function Truncated({ text, children, lines = 1, dir = 'auto', tone }: TruncatedProps) {
  const [isOpen, setOpen] = useState(false)
  const openIfCut = ({ currentTarget }: SyntheticEvent<HTMLElement>) =>
    setOpen(isCut(currentTarget))
  const close = () => setOpen(false)
  return (
    <Tooltip
      opened={isOpen}
      transitionProps={{ enterDelay: OPEN_DELAY_MS }}
      label={<span dir={dir}>{text}</span>}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only shows a tooltip */}
      <span
        dir={dir}
        className={classes.truncated}
        data-lines={lines > 1 ? lines : undefined}
        data-tone={tone}
        style={lines > 1 ? { WebkitLineClamp: lines } : undefined}
        onMouseEnter={openIfCut}
        onMouseLeave={close}
        onFocus={(event: FocusEvent<HTMLElement>) =>
          event.target.matches(':focus-visible') && openIfCut(event)
        }
        onBlur={close}
        onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && close()}
      >
        {children ?? text}
      </span>
    </Tooltip>
  )
}

/** As for other tooltips. */
const OPEN_DELAY_MS = 300

function isCut(node: HTMLElement): boolean {
  return [node, ...node.querySelectorAll('[data-truncates]')].some(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight + 1,
  )
}
