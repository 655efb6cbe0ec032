import { Anchor, Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'

import type { ColumnChoice } from './use-shown-columns'

import classes from './browse-rows.module.css'

/** Chooses which columns of a table are shown. */
export function ColumnMenu({ columns, shown, isFixed, toggle, showAll }: ColumnChoice) {
  if (columns.length < 2) return null
  const isAll = shown.length === columns.length
  const names = [...new Set(columns)].filter((name) => name !== '')
  const places = new Set(shown)
  return (
    <Popover position="bottom-start" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconColumns3 size={16} aria-hidden="true" />}
        >
          {isAll ? 'Columns' : `Columns: ${shown.length} of ${columns.length}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns that are shown">
        <Stack gap={10}>
          <div className={classes.columns}>
            {names.map((name) => (
              <Checkbox
                key={name}
                label={<bdi>{name}</bdi>}
                checked={places.has(columns.indexOf(name))}
                disabled={isFixed(name)}
                onChange={(event) => toggle(name, event.currentTarget.checked)}
              />
            ))}
          </div>
          {!isAll && (
            <Anchor component="button" type="button" fz="sm" ta="start" onClick={showAll}>
              Show all columns
            </Anchor>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
