import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'

type ButtonElementProps = ComponentProps<'button'>

interface PendingButtonProps extends ButtonProps {
  type?: 'button' | 'submit'
  onClick?: () => void
  /** Its work goes on: it cannot be pressed again. */
  isPending: boolean
}

/** A button that keeps the focus while its work goes on. */
export function PendingButton({ isPending, onClick, ...props }: PendingButtonProps) {
  return (
    <Button
      {...props}
      loading={isPending}
      renderRoot={renderFocusable}
      // A submit button submits by being pressed, also where Enter was pressed in a field.
      onClick={(event) => (isPending ? event.preventDefault() : onClick?.())}
    />
  )
}

/** Not `disabled`, which would take the focus away from whoever pressed it. */
export function renderFocusable({ disabled, ...props }: ButtonElementProps) {
  return <button {...props} aria-disabled={disabled || undefined} />
}
