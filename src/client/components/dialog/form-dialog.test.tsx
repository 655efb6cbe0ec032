import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { FormFooter } from '../form/form-footer'
import { ValidatedForm } from '../form/validated-form'
import { FormDialog } from './form-dialog'

function NameForm({ onSaved }: { onSaved: () => void }) {
  const form = useForm({ initialValues: { name: 'Acme' } })
  return (
    <ValidatedForm form={form} onSubmit={onSaved}>
      <TextInput label="Name" {...form.getInputProps('name')} />
      <FormFooter submitLabel="Save" isPending={false} />
    </ValidatedForm>
  )
}

function Page() {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Edit
      </button>
      <FormDialog isOpen={isOpen} title="Edit Acme" onClose={close}>
        <NameForm onSaved={close} />
      </FormDialog>
    </>
  )
}

const press = (name: string) => userEvent.click(screen.getByText(name))
const form = () => screen.queryByText('Edit Acme')
const question = () => screen.queryByText('Discard your changes?')
const nameField = () => screen.getByLabelText('Name')

async function openForm() {
  renderInTheme(<Page />)
  await press('Edit')
  await screen.findByText('Edit Acme')
}

const WAYS_TO_CLOSE: [string, () => Promise<unknown>][] = [
  ['Cancel', () => press('Cancel')],
  ['the X', () => userEvent.click(screen.getByLabelText('Close'))],
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['a click beside it', () => userEvent.click(document.querySelector('.mantine-Modal-overlay')!)],
]

describe.each(WAYS_TO_CLOSE)('a form closed by %s', (_name, close) => {
  it('closes at once without changes', async () => {
    await openForm()
    await close()
    await waitFor(() => expect(form()).toBeNull())
    expect(question()).toBeNull()
  })

  it('asks while it has changes, which stay or are discarded', async () => {
    await openForm()
    await userEvent.type(nameField(), ' Tools')
    await close()
    await waitFor(() => expect(question()).not.toBeNull())
    await press('Keep editing')
    await waitFor(() => expect(question()).toBeNull())
    expect(nameField()).toHaveProperty('value', 'Acme Tools')
    await close()
    await waitFor(() => expect(question()).not.toBeNull())
    await press('Discard')
    await waitFor(() => expect([question(), form()]).toEqual([null, null]))
    await press('Edit')
    expect(nameField()).toHaveProperty('value', 'Acme')
  })
})

describe('the first field', () => {
  it('has the focus when the dialog opens, which closing returns', async () => {
    await openForm()
    await waitFor(() => expect(document.activeElement).toBe(nameField()))
    await press('Cancel')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Edit')))
  })

  it('gets it when the form appears in a dialog that is open', async () => {
    const dialog = (children: ReactNode) => (
      <FormDialog isOpen title="Edit Acme" onClose={() => undefined}>
        {children}
      </FormDialog>
    )
    const { rerender } = renderInTheme(dialog('Loading'))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Close')))
    rerender(dialog(<NameForm onSaved={() => undefined} />))
    await waitFor(() => expect(document.activeElement).toBe(nameField()))
  })
})

describe('a form with changes', () => {
  it('closes without asking when it has been saved', async () => {
    await openForm()
    await userEvent.type(nameField(), ' Tools')
    await press('Save')
    await waitFor(() => expect(form()).toBeNull())
    expect(question()).toBeNull()
  })

  it('closes without asking when they have been undone', async () => {
    await openForm()
    await userEvent.type(nameField(), '!{Backspace}')
    await press('Cancel')
    await waitFor(() => expect(form()).toBeNull())
    expect(question()).toBeNull()
  })

  it('stays when Escape answers the question', async () => {
    await openForm()
    await userEvent.type(nameField(), ' Tools')
    await press('Cancel')
    await waitFor(() => expect(question()).not.toBeNull())
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(question()).toBeNull())
    expect(nameField()).toHaveProperty('value', 'Acme Tools')
  })
})
