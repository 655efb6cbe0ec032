import { TextInput } from '@mantine/core'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { PendingButton } from './pending-button'

/** A form that stays in the saving state once submitted. */
function SlowForm({ onSave }: { onSave: () => void }) {
  const [isSaving, setSaving] = useState(false)
  const save = () => {
    setSaving(true)
    onSave()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextInput label="Name" />
      <PendingButton type="submit" isPending={isSaving}>
        Save
      </PendingButton>
    </form>
  )
}

const button = () => screen.getByRole('button', { name: 'Save' })

describe('PendingButton', () => {
  it('keeps the focus and is aria-disabled while pending', async () => {
    const user = userEvent.setup()
    renderInTheme(<SlowForm onSave={() => undefined} />)
    await user.tab()
    await user.tab()
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(button())
    expect(button().getAttribute('aria-disabled')).toBe('true')
    expect(button().hasAttribute('disabled')).toBe(false)
  })

  it('ignores clicks and Enter while pending', async () => {
    const user = userEvent.setup()
    const save = vi.fn<() => void>()
    renderInTheme(<SlowForm onSave={save} />)
    await user.click(button())
    await user.click(button())
    await user.keyboard('{Enter}')
    await user.type(screen.getByLabelText('Name'), 'Acme{Enter}')
    expect(save).toHaveBeenCalledTimes(1)
  })

  it('is enabled while nothing is pending', async () => {
    const press = vi.fn<() => void>()
    renderInTheme(
      <PendingButton isPending={false} onClick={press}>
        Save
      </PendingButton>,
    )
    await userEvent.click(button())
    expect(press).toHaveBeenCalledTimes(1)
    expect(button().hasAttribute('aria-disabled')).toBe(false)
  })
})
