import { Button, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

import { useStickyBar } from '../../lib/use-sticky-bar'
import { PendingButton } from '../feedback/pending-button'
import { FixedFields } from './fixed-fields'
import { LeaveQuestion } from './leave-question'
import { ValidatedForm } from './validated-form'

import classes from './page-form.module.css'

interface PageFormProps<Values> {
  /** The code that saves calls `markSaved` with it. */
  form: UseFormReturnType<Values>
  onSubmit: (values: Values) => void
  isPending: boolean
  /** Accessible name of the form. */
  label: string
  /** Shows Save even while there is nothing to save. */
  hasSaveAlways?: boolean
  /** Who may change the fields, said to those who may not. */
  whoChanges?: string | undefined
  children: ReactNode
}

/**
 * A form on a page. While it has changes, a bar at the bottom of the window saves or discards them,
 * and leaving the page asks first.
 */
export function PageForm<Values extends Record<string, unknown>>(props: PageFormProps<Values>) {
  const { form } = props
  const isDirty = form.isDirty()
  const hasBar = props.whoChanges === undefined && (isDirty || props.hasSaveAlways === true)
  const bar = useStickyBar('bottom')
  return (
    <>
      <ValidatedForm form={form} label={props.label} onSubmit={props.onSubmit}>
        <FixedFields whoChanges={props.whoChanges}>{props.children}</FixedFields>
        {hasBar && (
          <div
            ref={bar}
            className={classes.actions}
            data-unsaved={isDirty || undefined}
            data-always={props.hasSaveAlways}
          >
            {isDirty && (
              <>
                <Text component="output" flex={1} miw={0} fw={550}>
                  Unsaved changes
                </Text>
                <Button variant="default" onClick={form.reset}>
                  Discard
                </Button>
              </>
            )}
            <PendingButton type="submit" isPending={props.isPending}>
              Save
            </PendingButton>
          </div>
        )}
      </ValidatedForm>
      <LeaveQuestion hasChanges={isDirty} />
    </>
  )
}
