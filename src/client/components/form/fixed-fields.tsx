import { Text } from '@mantine/core'
import { useId, type ReactNode } from 'react'

import { FixedFieldsContext } from '../../lib/fixed-fields'

import classes from './fixed-fields.module.css'

interface FixedFieldsProps {
  /** Who may change the fields, said to those who may not; without it they can be changed. */
  whoChanges: string | undefined
  children: ReactNode
}

/** Fields that are shown to everybody, and changed only by those whose role includes it. */
export function FixedFields({ whoChanges, children }: FixedFieldsProps) {
  const noteId = useId()
  if (whoChanges === undefined) return children
  return (
    <fieldset disabled className={classes.fields} aria-describedby={noteId}>
      <Text id={noteId} c="dimmed" fz="sm" mb="md">
        {whoChanges}
      </Text>
      <FixedFieldsContext value={true}>{children}</FixedFieldsContext>
    </fieldset>
  )
}
