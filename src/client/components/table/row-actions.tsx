import { ActionIcon, Group, Menu, Tooltip } from '@mantine/core'
import { IconDots, type Icon } from '@tabler/icons-react'
import { use } from 'react'

import { NarrowRowsContext } from '../../lib/narrow-rows'
import { renderFocusable } from '../feedback/pending-button'

import classes from './row-actions.module.css'

export interface RowAction {
  /** `Edit`. The button's accessible name adds the row's name: `Edit Acme`. */
  label: string
  /** Replaces the label in the accessible name where that reads better: `Settings of`. */
  name?: string
  icon: Icon
  onClick: () => void
  isDestructive?: boolean
  isPending?: boolean
}

interface RowActionsProps {
  rowName: string
  actions: RowAction[]
}

const BUTTON_PX = 30
const PADDING_PX = 32
/** The column's header and its padding. */
const MIN_PX = 96

/** Width of a column with `count` buttons. */
export function actionsWidth(count: number): number {
  return Math.max(count * BUTTON_PX + PADDING_PX, MIN_PX)
}

/** Icon buttons on wide screens, one menu in a list on narrow ones. */
export function RowActions({ rowName, actions }: RowActionsProps) {
  const isNarrow = use(NarrowRowsContext)
  if (isNarrow && actions.length > 2) return <ActionMenu rowName={rowName} actions={actions} />
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end" onClick={(event) => event.stopPropagation()}>
      {actions.map(({ label, name, icon: ActionGlyph, onClick, isDestructive, isPending }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon
            aria-label={`${name ?? label} ${rowName}`}
            className={classes.action}
            data-destructive={isDestructive || undefined}
            loading={isPending ?? false}
            renderRoot={renderFocusable}
            onClick={() => !isPending && onClick()}
          >
            <ActionGlyph size={17} stroke={1.75} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  )
}

function ActionMenu({ rowName, actions }: RowActionsProps) {
  return (
    <Group gap={0} justify="flex-end" onClick={(event) => event.stopPropagation()}>
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${rowName}`} size="lg">
            <IconDots size={18} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map(({ label, icon: ActionGlyph, onClick, isDestructive, isPending }) => (
            <Menu.Item
              key={label}
              leftSection={<ActionGlyph size={16} stroke={1.75} aria-hidden="true" />}
              disabled={isPending ?? false}
              onClick={onClick}
              {...(isDestructive && { c: 'var(--mantine-color-error)' })}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
