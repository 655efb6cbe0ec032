import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'

type ButtonElementProps = ComponentProps<'button'>

interface PendingButtonProps extends ButtonProps {
  type?: 'button' | 'submit'
  onClick?: () => void
  /** The action is running; presses are ignored. */
  isPending: boolean
}

/** A button that keeps the focus while its action is running. */
export function PendingButton({ isPending, onClick, ...props }: PendingButtonProps) {
  return (
    <Button
      {...props}
      loading={isPending}
      renderRoot={renderFocusable}
      // Enter in a field also clicks the submit button, so this blocks every way to submit twice.
      onClick={(event) => (isPending ? event.preventDefault() : onClick?.())}
    />
  )
}

/** Renders `aria-disabled` instead of `disabled`, which would drop the focus. */
export function renderFocusable({ disabled, ...props }: ButtonElementProps) {
  return <button {...props} aria-disabled={disabled || undefined} />
}
